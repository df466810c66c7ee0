"""A terminal that does not read holds up drawing, and nothing else."""

import signal
import time
import unittest

from pseudo_terminal import LEAVE, TerminalTestCase, upsert


class SlowTests(TerminalTestCase):
    def start_stuck(self):
        """A program whose terminal has taken all that it takes without being read."""
        rows = [upsert(number, f"row {number} " + "x" * 280) for number in range(1, 120)]
        terminal = self.start_stdin(*rows, size=(100, 300))
        terminal.see_on_screen("119 rows")
        for _ in range(60):
            # Each frame is some thirty thousand bytes, a multiple of what waits in a terminal.
            terminal.type("\x0c")
            terminal.pause(0.02)
        return terminal

    def test_keys_and_signals_are_handled_while_nobody_reads(self):
        ends = [(self.start_stuck(), end, code) for end, code in (("q", 0), (signal.SIGTERM, 143), (signal.SIGABRT, 134))]
        start = time.monotonic()
        for terminal, end, _ in ends:
            terminal.type(end) if end == "q" else terminal.signal(end)
        for terminal, end, code in ends:
            with self.subTest(end):
                # Five seconds, one more to restore after a crash, and some for a machine that is busy.
                self.assertEqual(terminal.wait_unread(60), code)
                self.assertLess(time.monotonic() - start, 40)

    def test_a_terminal_that_reads_again_is_drawn_and_restored(self):
        terminal = self.start_stuck()
        terminal.feed(upsert("new", "came meanwhile"))
        terminal.type("jj")
        terminal.see_on_screen("120 rows")
        self.assertIn("▸", terminal.screen)
        # Of sixty frames, those that nobody could see were left out.
        self.assertLess(len(terminal.frames), 40)
        terminal = self.start_stuck()
        terminal.type("q")
        terminal.pause(0.5)
        self.assert_ends(terminal)
        self.assertIn(LEAVE, terminal.text)


if __name__ == "__main__":
    unittest.main()
