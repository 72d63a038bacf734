# Row 41 from Python.
blocks = []
while True:
    blocks.append(bytearray(1 << 20))
