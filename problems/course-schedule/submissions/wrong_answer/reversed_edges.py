"""Wrong: reads a rule "a b" as "a needs b", the way another site words this task, and prints the order backwards."""
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    following = [[] for _ in range(n + 1)]
    missing = [0] * (n + 1)
    for a, b in zip(numbers[2::2], numbers[3::2]):
        following[b].append(a)
        missing[a] += 1
    order = [course for course in range(1, n + 1) if missing[course] == 0]
    for course in order:
        for after in following[course]:
            missing[after] -= 1
            if missing[after] == 0:
                order.append(after)
    print(*order if len(order) == n else ["IMPOSSIBLE"])


main()
