"""Wrong: takes a stored value of 0 for "not there", because 0 is false in a condition."""
import sys
from collections import OrderedDict


def main():
    lines = sys.stdin.buffer.read().splitlines()
    capacity = int(lines[0].split()[0])
    cache = OrderedDict()
    results = []
    for line in lines[1:]:
        operation, *numbers = line.split()
        key = int(numbers[0])
        if operation == b"get":
            value = cache.get(key)
            if value:  # the mistake
                cache.move_to_end(key)
                results.append(value)
            else:
                results.append(-1)
        else:
            cache[key] = int(numbers[1])
            cache.move_to_end(key)
            if len(cache) > capacity:
                cache.popitem(last=False)
    print("\n".join(map(str, results)))


main()
