# Row 14 from Python, whose jail has /usr in it.
import os
import sys

targets = [sys.argv[2], "/etc/passwd", "/etc/shadow", "/root", "/home", "/work", "/var", "/run", "/sys", "/w/1.ans"]
for target in targets:
    try:
        os.close(os.open(target, os.O_RDONLY))
        print("ESCAPED", target)
    except OSError:
        pass
print("refused")
