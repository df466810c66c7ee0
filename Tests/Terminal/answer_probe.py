"""Runs in a terminal: asks it what an app asks, and records the answers.

    python3 answer_probe.py ANSWERS      ANSWERS: the file of the answers, as they came

The recordings in `Tests/RowcastConsoleTests/TerminalFeaturesTests.swift` were made with it.
"""

import os
import re
import select
import sys
import termios
import tty

QUESTIONS = b"\x1b[?2026$p\x1b[?2027$p\x1b[?2031$p\x1b[?2048$p\x1b[?u\x1b]11;?\x07\x1b[c"


def ask(questions):
    """The answers, up to the one that every terminal gives, or what came in three seconds."""
    answers = b""
    os.write(1, questions)
    while not re.search(rb"\x1b\[\?[\d;]*c", answers) and select.select([0], [], [], 3)[0]:
        answers += os.read(0, 256)
    return answers


if __name__ == "__main__":
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        recorded = ask(b"\x1b[?1049h" + QUESTIONS)
    finally:
        os.write(1, b"\x1b[?1049l")
        termios.tcsetattr(0, termios.TCSANOW, before)
    with open(sys.argv[1] + ".new", "wb") as file:
        file.write(recorded)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
