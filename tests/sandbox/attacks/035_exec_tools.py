# Row 35 from Python, where /usr/bin is visible: its tools run under the same filter and in the same jail, so that a
# shell gains nothing. This one can't read the host, write to /usr or start a process.
import os
import sys

script = """
{ read line </etc/passwd; } 2>/dev/null && echo ESCAPED passwd
{ read line <"$1"; } 2>/dev/null && echo ESCAPED secret
{ echo x >/usr/gavel_left; } 2>/dev/null && echo ESCAPED usr
echo shell
/usr/bin/id
echo ESCAPED a process
"""
os.execve("/bin/sh", ["sh", "-c", script, "sh", sys.argv[2]], {})
