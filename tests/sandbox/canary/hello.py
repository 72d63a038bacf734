import collections, heapq, math, random, re, sys
sys.setrecursionlimit(100000)
words = collections.Counter(re.findall(r"\w+", "hello hello there"))
heapq.heappush([], math.gcd(12, 18))
random.random()
print(words.most_common(1)[0][0])
