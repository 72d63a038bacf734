"""Union-find over runs of land in a row: far fewer objects than cells, so that Python is fast enough.

Every run starts as an island of its own; each union of two different sets takes one off.
"""
import re
import sys


def count_islands(rows):
    parent = []

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    runs_of = re.compile(rb"1+").finditer
    islands = 0
    above = []          # (start, end, set) of the previous row, end exclusive
    for row in rows:
        here = []
        index = 0       # first run above that may still touch a run of this row
        for match in runs_of(row):
            start, end = match.span()
            while index < len(above) and above[index][1] <= start:
                index += 1
            label = -1
            touching = index
            while touching < len(above) and above[touching][0] < end:
                other = find(above[touching][2])
                if label < 0:
                    label = other
                elif other != label:
                    parent[other] = label
                    islands -= 1
                touching += 1
            if label < 0:
                label = len(parent)
                parent.append(label)
                islands += 1
            here.append((start, end, label))
        above = here
    return islands


def main():
    words = sys.stdin.buffer.read().split()
    print(count_islands(words[2:]))


main()
