"""Wrong: searches from both ends, one word at a time in turn, and stops where the two first meet. Inside a level the
first meeting need not be the best: the ladder can be one word too long. Only whole levels may be compared."""
import sys


def patterns(word):
    return [word[:i] + "*" + word[i + 1:] for i in range(len(word))]


def shortest_ladder(start, end, words):
    buckets = {}
    for word in words + [start]:
        for pattern in patterns(word):
            buckets.setdefault(pattern, []).append(word)
    if end not in words:
        return 0
    near, far = {start: 1}, {end: 1}
    near_queue, far_queue = [start], [end]
    near_head = far_head = 0
    while near_head < len(near_queue) and far_head < len(far_queue):
        word = near_queue[near_head]
        near_head += 1
        for pattern in patterns(word):
            for neighbour in buckets.get(pattern, ()):
                if neighbour in far:
                    return near[word] + far[neighbour]  # the mistake
                if neighbour not in near:
                    near[neighbour] = near[word] + 1
                    near_queue.append(neighbour)
        near, far = far, near
        near_queue, far_queue = far_queue, near_queue
        near_head, far_head = far_head, near_head
    return 0


def main():
    _, start, end, *words = sys.stdin.read().split()
    print(shortest_ladder(start, end, words))


main()
