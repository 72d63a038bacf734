"""Which spellings of a row are instructions, and of which device: rows allow some combinations of words that the ISA does
not. Compared with NVIDIA's assembler of CUDA 13.0."""
import re

# .satfinite of tf32 but for .rna, packed f32, f16 and bf16 sources of f32 arithmetic, fp6, fp4 and scales
SM_100 = re.compile(r"cvt\.r[nz]\.(relu\.)?satfinite\.(relu\.)?tf32|\.f32x2$|^(add|sub|fma)\.(.*\.)?f32\.b?f16$|e3m2|e2m3|e2m1|ue8m0")


def target_of(form):
    return "sm_100a" if SM_100.search(form.text) else "sm_90a"


def is_legal(form):
    if form.row.family == "atomic":
        return is_legal_atomic(form)
    if form.row.family == "tensor":
        return is_legal_tensor(form)
    if form.text.startswith("mov.v4."):
        return not form.text.endswith("64")  # vectors have 128 bits at most
    return True


def is_legal_tensor(form):
    parts = form.text.split(".")
    if parts[0] == "wmma" and {"s4", "u4"} <= set(parts):  # a and b are of one type
        return False
    return parts.count("trans") <= 1


def is_legal_atomic(form):
    parts = form.text.split(".")
    is_vector = bool({"v2", "v4", "v8"} & set(parts))
    if is_vector:  # of global memory alone, and of 128 bits at most
        return "shared" not in parts and not ("v8" in parts and {"f16x2", "bf16x2"} & set(parts))
    if "noftz" in parts and ("min" in parts or "max" in parts):
        return False
    return not ("add" in parts and parts[-1] == "s64")
