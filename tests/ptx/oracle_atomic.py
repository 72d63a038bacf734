"""What atom and red do to one number of memory: the old value (d) and the new one (m)."""
import fp
from oracle_float import extreme
from oracle_integer import number, oracle, width


def added(name, old, b, flushes):
    if name not in fp.FORMATS:
        return old + b
    fmt = fp.FORMATS[name]
    x, y = (fmt.decode(fp.flush(fmt, bits) if flushes else bits) for bits in (old, b))
    return fp.finish(fmt, fp.add_exact(x, y, fp.RN), ftz=flushes)


def float_extreme(operation, name, old, b):
    class Plain:
        text = operation + "." + name
        types = {"T": name}
    return extreme(Plain, {"a": old, "b": b})["d"]


def updated(operation, name, old, b, c, flushes):
    is_float = name in fp.FORMATS
    if operation == "add":
        return added(name, old, b, flushes)
    if operation in ("min", "max"):
        if is_float:
            return float_extreme(operation, name, old, b)
        return (min if operation == "min" else max)(number(old, name), number(b, name))
    return {"and": lambda: old & b, "or": lambda: old | b, "xor": lambda: old ^ b, "exch": lambda: b,
            "inc": lambda: 0 if old >= b else old + 1, "dec": lambda: b if old == 0 or old > b else old - 1,
            "cas": lambda: c if old == b else old}[operation]()


TYPES = ("b16", "b32", "b64", "b128", "u32", "s32", "u64", "s64", "f16", "bf16", "f16x2", "bf16x2", "f32", "f64")
OPERATIONS = ("add", "min", "max", "and", "or", "xor", "exch", "inc", "dec", "cas")


@oracle("atomic", "atom", "red")
def atomic(form, v):
    """v["m"]: what memory holds. Vectors are lists, pairs are taken apart."""
    name = next(word for word in reversed(form.text.split(".")) if word in TYPES)
    operation = next(word for word in form.text.split(".") if word in OPERATIONS)
    # ISA: atom.add.f32 on global memory flushes subnormals, on shared memory it does not
    flushes = name == "f32" and ".shared" not in form.text
    if isinstance(v["m"], list):
        new = [one(operation, name, old, b, 0, flushes) for old, b in zip(v["m"], v["b"])]
    else:
        new = one(operation, name, v["m"], v["b"], v.get("c", 0), flushes)
    return {"d": v["m"], "m": new} if form.text.startswith("atom") else {"m": new}


def one(operation, name, old, b, c, flushes):
    if name.endswith("x2"):
        low, high = (updated(operation, name[:-2], old >> s & 0xffff, b >> s & 0xffff, 0, False) & 0xffff for s in (0, 16))
        return high << 16 | low
    bits = fp.FORMATS[name].bits if name in fp.FORMATS else width(name)
    return updated(operation, name, old, b, c, flushes) & ((1 << bits) - 1)
