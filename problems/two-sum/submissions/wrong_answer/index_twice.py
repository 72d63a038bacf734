"""Wrong: finds the two values, and then asks for the first position of each: for two equal numbers that is twice the
same one."""
import sys


def main():
    words = sys.stdin.buffer.read().split()
    target = int(words[1])
    numbers = [int(word) for word in words[2:]]
    seen = set()
    for number in numbers:
        if target - number in seen:
            print(*sorted((numbers.index(number) + 1, numbers.index(target - number) + 1)))
            return
        seen.add(number)


main()
