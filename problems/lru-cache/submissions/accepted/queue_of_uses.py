"""No linked list: every use goes into a queue with its time. To evict, uses that are not the last of their key are
dropped from the front until one is. Each use is dropped once, so O(1) an operation on average."""
import sys
from collections import deque


def main():
    lines = sys.stdin.buffer.read().splitlines()
    capacity = int(lines[0].split()[0])
    values, last_use, uses = {}, {}, deque()
    results = []
    for time, line in enumerate(lines[1:]):
        operation, key, *value = line.split()
        if operation == b"get" and key not in values:
            results.append(b"-1")
            continue
        if operation == b"get":
            results.append(values[key])
        else:
            if key not in values and len(values) == capacity:
                while True:
                    use, oldest = uses.popleft()
                    if last_use[oldest] == use:
                        break
                del values[oldest], last_use[oldest]
            values[key] = value[0]
        last_use[key] = time
        uses.append((time, key))
    print(b"\n".join(results).decode())


main()
