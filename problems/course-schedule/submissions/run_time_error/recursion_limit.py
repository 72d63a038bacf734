"""Fails: recursive depth-first search under Python's default limit of 1000 calls; a long chain is a RecursionError."""
import sys

NEW, OPEN, DONE = range(3)


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    following = [[] for _ in range(n + 1)]
    for a, b in zip(numbers[2::2], numbers[3::2]):
        following[a].append(b)
    colour = [NEW] * (n + 1)
    finished = []

    def visit(course):
        colour[course] = OPEN
        for after in following[course]:
            if colour[after] == OPEN or (colour[after] == NEW and not visit(after)):
                return False
        colour[course] = DONE
        finished.append(course)
        return True

    for course in range(1, n + 1):
        if colour[course] == NEW and not visit(course):
            print("IMPOSSIBLE")
            return
    print(*reversed(finished))


main()
