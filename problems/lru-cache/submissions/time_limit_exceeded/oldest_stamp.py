"""Too slow: keeps the time of each key's last use and looks for the smallest one to evict: O(capacity) an eviction."""
import sys


def main():
    lines = sys.stdin.buffer.read().splitlines()
    capacity = int(lines[0].split()[0])
    values, last_use = {}, {}
    results = []
    for time, line in enumerate(lines[1:]):
        operation, key, *value = line.split()
        if operation == b"get":
            results.append(values.get(key, b"-1"))
            if key in values:
                last_use[key] = time
            continue
        if key not in values and len(values) == capacity:
            oldest = min(last_use, key=last_use.get)
            del values[oldest], last_use[oldest]
        values[key] = value[0]
        last_use[key] = time
    print(b"\n".join(results).decode())


main()
