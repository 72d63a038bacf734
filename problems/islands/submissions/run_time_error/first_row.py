"""Wrong: asks the first row for the width of the picture; the empty picture has no first row (IndexError)."""
import sys


def main():
    rows = sys.stdin.buffer.read().split()[2:]
    width = len(rows[0])
    parent = {}

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    islands = 0
    above = []
    for row in rows:
        here = []
        start = row.find(b"1")
        index = 0
        while start >= 0:
            end = row.find(b"0", start)
            if end < 0:
                end = width
            run = len(parent)
            parent[run] = run
            islands += 1
            while index < len(above) and above[index][1] <= start:
                index += 1
            touching = index
            while touching < len(above) and above[touching][0] < end:
                a, b = find(above[touching][2]), find(run)
                if a != b:
                    parent[b] = a
                    islands -= 1
                touching += 1
            here.append((start, end, run))
            start = row.find(b"1", end)
        above = here
    print(islands)


main()
