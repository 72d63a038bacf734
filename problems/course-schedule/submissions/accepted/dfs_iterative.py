"""Depth-first search with a stack of its own, so that a chain of 50 000 courses needs no recursion."""
import sys

NEW, OPEN, DONE = range(3)


def order_of(n, following):
    """The order, or None if there is a cycle. Uses `following` up: an edge is popped when it is walked."""
    colour = [NEW] * (n + 1)
    finished = []
    for start in range(1, n + 1):
        if colour[start] != NEW:
            continue
        colour[start] = OPEN
        stack = [start]
        while stack:
            course = stack[-1]
            if following[course]:
                after = following[course].pop()
                if colour[after] == OPEN:
                    return None
                if colour[after] == NEW:
                    colour[after] = OPEN
                    stack.append(after)
            else:
                colour[course] = DONE
                finished.append(stack.pop())
    return finished[::-1]


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    following = [[] for _ in range(n + 1)]
    for a, b in zip(numbers[2::2], numbers[3::2]):
        following[a].append(b)
    order = order_of(n, following)
    print("IMPOSSIBLE" if order is None else "\n".join(map(str, order)))


main()
