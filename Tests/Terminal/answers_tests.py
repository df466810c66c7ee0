"""What the terminal is asked is answered before the shell has the terminal again: nothing of ours is typed into it."""

import os
import random
import select
import signal
import sys
import termios
import time
import unittest

from pseudo_terminal import Terminal, TerminalTestCase, upsert

ANSWER = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c"


class AnswerTests(TerminalTestCase):
    def left_behind(self, terminal, delay, stops=False):
        """What a program leaves to the shell of the answer, which comes some time after the question."""
        asked = answered = None
        end = time.monotonic() + 60
        ended = False
        while not (ended and (asked is None or answered)):
            self.assertLess(time.monotonic(), end, "the program ends")
            terminal.read(0.005)
            if asked is None and "\x1b[c" in terminal.text:
                asked = time.monotonic()
            if asked and not answered and time.monotonic() - asked >= delay:
                terminal.type(ANSWER)
                answered = True
            if not ended:
                pid, status = os.waitpid(terminal.pid, os.WNOHANG | os.WUNTRACED)
                ended = pid != 0
        # Also what is not a whole line.
        modes = termios.tcgetattr(terminal.slave)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(terminal.slave, termios.TCSANOW, modes)
        rest = os.read(terminal.slave, 1000) if select.select([terminal.slave], [], [], 0.02)[0] else b""
        if stops:
            terminal.signal(signal.SIGKILL)
            terminal.wait()
        return rest

    def runs(self):
        """Programs that may end before the answer, and what is done to them."""
        yield "an update", Terminal("feed", "--max-updates", "1", answers=False), False
        terminal = self.start_stdin(upsert("a", "a row"), answers=False)
        terminal.end_input()
        yield "input that ends at once", terminal, False
        yield "a short time", Terminal("feed", "--duration", "0.05", answers=False), False
        yield "a bit longer", Terminal("feed", "--duration", "1.2", answers=False), False
        for number in (signal.SIGTERM, signal.SIGTSTP):
            terminal = Terminal("settings", answers=False)
            terminal.see("[?1049h")
            terminal.signal(number)
            yield f"signal {number}", terminal, number == signal.SIGTSTP
        terminal = Terminal("settings", answers=False)
        terminal.see("[?1049h")
        terminal.type("q")
        yield "q", terminal, False

    def test_no_answer_is_typed_into_the_shell(self):
        seed = int(os.environ.get("ROWCAST_SEED") or random.randrange(1 << 32))
        print(f"fuzz: answers: ROWCAST_SEED={seed}", file=sys.stderr)
        chance = random.Random(seed)
        for _ in range(12 if os.environ.get("ROWCAST_LONG") == "1" else 1):
            for name, terminal, stops in self.runs():
                delay = chance.randint(1, 600) / 1000
                with self.subTest(name, delay=delay):
                    self.assertEqual(self.left_behind(terminal, delay, stops), b"")
                os.close(terminal.master)
                os.close(terminal.slave)

    def test_a_terminal_that_never_answers_is_not_waited_for_long(self):
        terminal = Terminal("settings", answers=False)
        terminal.see("[?1049h")
        terminal.type("q")
        self.assertEqual(terminal.wait(), 0)


if __name__ == "__main__":
    unittest.main()
