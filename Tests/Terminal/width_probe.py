"""Runs in a terminal: writes texts, and asks the terminal after each in which column its cursor is.

    python3 width_probe.py TEXTS COLUMNS      TEXTS: a JSON list of texts; COLUMNS: the file of the columns, a JSON list
"""

import json
import os
import re
import sys
import termios
import tty

texts = json.load(open(sys.argv[1], encoding="utf-8"))
before = termios.tcgetattr(0)
tty.setraw(0)
columns = []
for text in texts:
    os.write(1, b"\x1b[?7l\x1b[5;1H\x1b[2K" + text.encode() + b"\x1b[0m\x1b[6n")
    answer = b""
    while not (match := re.search(rb"\x1b\[\d+;(\d+)R", answer)):
        answer += os.read(0, 64)
    columns.append(int(match.group(1)) - 1)
termios.tcsetattr(0, termios.TCSANOW, before)
with open(sys.argv[2] + ".new", "w", encoding="utf-8") as file:
    json.dump(columns, file)
os.rename(sys.argv[2] + ".new", sys.argv[2])
