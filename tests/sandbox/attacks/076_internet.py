# Row 76 from Python.
try:
    import socket
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.socket(family, socket.SOCK_STREAM)
            print("ESCAPED", family)
        except OSError:
            pass
except ImportError:
    pass
print("refused")
