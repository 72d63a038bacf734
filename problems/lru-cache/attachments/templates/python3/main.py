import sys


class Cache:
    def __init__(self, capacity):
        self.capacity = capacity

    def get(self, key):
        """The value of the key, or -1."""
        return -1  # your algorithm goes here

    def put(self, key, value):
        pass  # and here


def main():
    lines = sys.stdin.buffer.read().splitlines()
    capacity = int(lines[0].split()[0])
    cache = Cache(capacity)
    results = []
    for line in lines[1:]:
        operation, *numbers = line.split()
        if operation == b"get":
            results.append(cache.get(int(numbers[0])))
        else:
            cache.put(int(numbers[0]), int(numbers[1]))
    print("\n".join(map(str, results)))


main()
