# Row 27 from Python.
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
