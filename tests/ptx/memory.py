"""Forms of ld, ldu and st that are tested: every type and vector in every space that a kernel can fill by itself, and of the
words that change nothing (order, scope, cache hints) each once. Their number of combinations is beyond counting."""
import rows

MNEMONICS = ("ld", "ldu", "st")
TYPES = ("b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64")
SPACES = {"ld": ("", ".global", ".shared", ".local"), "st": ("", ".global", ".shared", ".local"), "ldu": ("", ".global")}
WORDS = {"ld": ("ld.weak.global.u32", "ld.volatile.global.s32", "ld.volatile.shared.u32", "ld.relaxed.cta.global.u32",
                "ld.relaxed.gpu.global.f32", "ld.acquire.gpu.global.u32", "ld.acquire.cluster.global.u32",
                "ld.acquire.sys.global.u64", "ld.acquire.cta.shared.u32", "ld.mmio.relaxed.sys.global.u32",
                "ld.global.ca.u32", "ld.global.cg.u32", "ld.global.cs.f32", "ld.global.lu.u32", "ld.global.cv.u32",
                "ld.global.nc.f32", "ld.global.ca.nc.f32", "ld.global.nc.v4.f32", "ld.global.nc.L1::no_allocate.v2.f32",
                "ld.global.L1::evict_normal.u32", "ld.global.L1::evict_unchanged.u32", "ld.global.L1::evict_first.u32",
                "ld.global.L1::evict_last.u32", "ld.global.L1::no_allocate.u32", "ld.global.L2::64B.u32",
                "ld.global.L2::128B.u32", "ld.global.L2::256B.v2.u32", "ld.shared::cta.u32", "ld.shared::cta.v2.b64"),
         "st": ("st.weak.global.u32", "st.volatile.global.s32", "st.volatile.shared.u32", "st.relaxed.cta.global.u32",
                "st.relaxed.gpu.global.f32", "st.release.gpu.global.u32", "st.release.cluster.global.u32",
                "st.release.sys.global.u64", "st.release.cta.shared.u32", "st.mmio.relaxed.sys.global.u32",
                "st.global.wb.u32", "st.global.cg.u32", "st.global.cs.f32", "st.global.wt.u32",
                "st.global.L1::evict_normal.u32", "st.global.L1::evict_unchanged.u32", "st.global.L1::evict_first.u32",
                "st.global.L1::evict_last.u32", "st.global.L1::no_allocate.v4.u32", "st.shared::cta.u32",
                "st.shared::cta.v2.b64"),
         "ldu": ()}
VECTORS = {"": 1, ".v2": 2, ".v4": 4}


def texts(mnemonic):
    for space in SPACES[mnemonic]:
        for vector, count in VECTORS.items():
            for name in TYPES:
                if count * rows.TYPE_BYTES[name] <= 16:
                    yield mnemonic + space + vector + "." + name
    yield from WORDS[mnemonic]


def forms_of(row):
    """Forms of a row of ld, ldu or st: scalar rows and vector rows are told apart by their operands."""
    is_vector = "[]" in row.operands
    mnemonic = rows.mnemonic_of(row.pattern)
    for text in texts(mnemonic):
        parts = text.split(".")
        vector = next((word for word in parts if word in ("v2", "v4")), None)
        if (vector is not None) != is_vector:
            continue
        types = {"T": parts[-1]}
        words = ["." + word for word in parts[1:-1]]
        yield rows.Form(row, text, words, types, rows.roles_of(row.operands, types))


def space_of(form):
    if any(word.startswith(".shared") for word in form.words):
        return "shared"
    return "local" if ".local" in form.words else "global"


def extended(name, bits, register_bytes):
    """What a register holds after ld: signed types are extended by their sign, all others by zeros."""
    size = 8 * rows.TYPE_BYTES[name]
    if name[0] == "s" and bits >> (size - 1):
        bits |= -1 << size
    return bits & (1 << 8 * register_bytes) - 1
