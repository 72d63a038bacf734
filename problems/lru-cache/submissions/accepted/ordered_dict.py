"""Python's dict keeps the order in which keys came: an entry that is used is taken out and put back at the end."""
import sys
from collections import OrderedDict


def main():
    lines = sys.stdin.buffer.read().splitlines()
    capacity = int(lines[0].split()[0])
    cache = OrderedDict()
    results = []
    for line in lines[1:]:
        operation, key, *value = line.split()
        if operation == b"get":
            if key in cache:
                cache.move_to_end(key)
            results.append(cache.get(key, b"-1"))
        else:
            cache[key] = value[0]
            cache.move_to_end(key)
            if len(cache) > capacity:
                cache.popitem(last=False)
    print(b"\n".join(results).decode())


main()
