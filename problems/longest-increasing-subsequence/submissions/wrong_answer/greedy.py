"""Wrong: takes the first number and then every number greater than the last one taken. A high number early on shuts out
all that follow."""
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()[1:]))
    length = 1
    last = numbers[0]
    for number in numbers:
        if number > last:
            length += 1
            last = number
    print(length)


main()
