"""Frames: when they are drawn, what they write, and what a resize does."""

import re
import signal
import time
import unittest

from pseudo_terminal import BEGIN, END, LEAVE, OWN, Terminal, TerminalTestCase, VirtualScreen, upsert


class DrawingTests(TerminalTestCase):
    def start_rows(self, count, **options):
        terminal = self.start_stdin(*[upsert(number, f"row {number}.") for number in range(1, count + 1)], **options)
        terminal.see_on_screen(f"{count} row")
        terminal.read_while_quiet_for(1.5)
        terminal.forget()
        return terminal

    def test_the_first_frame_waits_for_nothing(self):
        start = time.monotonic()
        terminal = Terminal("stdin", data=True)
        terminal.see_on_screen("(empty list)")
        # Measured: 20 ms. The bound is for a machine that is busy with something else.
        self.assertLess(time.monotonic() - start, 1)
        self.assertTrue(terminal.text.startswith("\x1b[?1049h\x1b[?25l\x1b[?7l"))
        self.assertEqual(terminal.quit(), 0)

    def test_an_idle_screen_is_silent(self):
        terminal = self.start_rows(20)
        self.assertFalse(terminal.read(2))
        self.assertEqual(terminal.quit(), 0)

    def test_only_changed_lines_are_repainted(self):
        terminal = self.start_rows(10)
        terminal.type("\x0c")
        terminal.see("row 9.")
        full = len(terminal.frames[-1])
        terminal.forget()
        terminal.feed(upsert("7", "changed"))
        terminal.see("changed")
        terminal.read_until(lambda text: text.endswith(END))
        drawn = terminal.frames[0]
        # The title with its revision, the row, the operations, and what became of the events.
        self.assertLessEqual(len(re.findall(r"\x1b\[\d+;\d+H", drawn)), 6)
        self.assertLess(len(drawn), full / 2)
        self.assertNotIn("row 8.", drawn)
        self.assertEqual(terminal.quit(), 0)

    def test_each_frame_is_one_synchronized_output_of_absolute_lines(self):
        terminal = Terminal("feed", "--speed", "3")
        self.assertEqual(terminal.wait(), 0)
        text = terminal.text[: terminal.text.rfind("\x1b[?1049l")]
        outside = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), "", text, flags=re.DOTALL)
        begin = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[2J\x1b]11;?\x07"
        self.assertEqual(outside, begin + LEAVE[: LEAVE.rfind("\x1b")])
        self.assertGreater(len(terminal.frames), 20)
        for frame in terminal.frames:
            self.assertNotIn("\n", frame)
            # Each stretch of text is addressed, and what is there is erased first; or the screen was cleared.
            self.assertRegex(frame, r"^(\x1b\[2J)?(\x1b\[\d+;\d+H\x1b\[K[^\x1b]*(\x1b\[[\d;]+[mG][^\x1b]*)*)+$")

    def test_a_terminal_with_other_ideas_of_width_keeps_neighbours_whole(self):
        titles = ["日本語テキスト", "👩‍👩‍👧‍👦 family", "☂️ ❤️ VS16", "שלום עולם", "e\u0301\u0301\u0301", "한국어 flags 🇫🇷🇩🇪"]
        for size in ((24, 80), (24, 130), (12, 30)):
            terminal = self.start_stdin(*[upsert(n, title * 6, kind="wide") for n, title in enumerate(titles)], size=size)
            terminal.see_on_screen("6 rows")
            terminal.read_while_quiet_for(1.5)
            terminal.forget()
            terminal.type("\x0c")
            terminal.see("quit")
            terminal.read_until(lambda text: text.endswith(END))
            for width in (1, 2, 3):
                screen = VirtualScreen(*size, wide=lambda c: width if ord(c) > 0x2FF else 1).show(terminal.text)
                self.assertTrue(screen.line(0).startswith("rowcast stdin"), screen)
                self.assertTrue(screen.line(size[0] - 1).startswith("q quit"), screen)
                if size[1] > 120:
                    self.assertIn(" operations", screen.line(1))
            self.assertEqual(terminal.quit(), 0)

    def test_every_size_is_filled_and_nothing_is_drawn_outside(self):
        terminal = self.start_feed("--speed", "5")
        terminal.see("Messages")
        for lines, columns in ((1, 1), (5, 20), (60, 200), (2, 300), (12, 40), (24, 80), (30, 120)):
            terminal.forget()
            terminal.resize(lines, columns)
            terminal.see("[2J")
            terminal.read_until(lambda text: text.endswith(END))
            # What was on its way for the size before ends where the new size is cleared.
            drawn = terminal.text[terminal.text.rfind("[2J") :]
            places = re.findall(r"\x1b\[(\d+);(\d+)H", drawn)
            self.assertTrue(places)
            self.assertLessEqual(max(int(row) for row, _ in places), lines)
            self.assertLessEqual(max(int(column) for _, column in places), columns)
        self.assertEqual(terminal.quit(), 0)
        self.assert_restored(terminal)

    def test_nothing_is_drawn_before_the_screen_is_taken_over(self):
        for _ in range(25):
            terminal = Terminal("feed")
            terminal.see(END)
            self.assertTrue(terminal.text.startswith("\x1b[?1049h"), repr(terminal.text[:60]))
            terminal.signal(signal.SIGTERM)
            self.assertEqual(terminal.wait(), 143)

    def test_a_storm_of_resizes_keeps_the_frame_rate(self):
        terminal = self.start_feed()
        terminal.forget()
        start = time.monotonic()
        for number in range(600):
            terminal.resize(24 + number % 7, 80 - number % 11)
            terminal.read(0.001)
        terminal.resize(10, 50)
        terminal.read_while_quiet_for(0.5)
        seconds = time.monotonic() - start
        self.assertLessEqual(len(terminal.frames), 30 * seconds + 2)
        self.assertTrue(terminal.screen.line(9).startswith("q quit"), terminal.screen)
        self.assertEqual(terminal.quit(), 0)
        self.assert_restored(terminal)

    def test_the_size_comes_from_the_terminal_then_the_environment_then_80_by_24(self):
        for size, environment, expected in (
            ((0, 0), {}, (24, 80)),
            ((0, 0), {"LINES": "10", "COLUMNS": "40"}, (10, 40)),
            ((0, 0), {"LINES": "-3", "COLUMNS": "many"}, (1, 80)),
            ((12, 60), {"LINES": "10", "COLUMNS": "40"}, (12, 60)),
        ):
            with self.subTest(size=size, environment=environment):
                terminal = Terminal("stdin", data=True, size=size, environment=environment)
                frame = terminal.read_until(lambda text: END in text)
                rows = [int(row) for row in re.findall(r"\x1b\[(\d+);1H", frame)]
                self.assertEqual(max(rows), expected[0])
                lines = OWN.sub("\n", frame).split("\n")
                self.assertLessEqual(max(map(len, lines)), expected[1])
                self.assertEqual(terminal.quit(), 0)

    def test_a_frame_rate_is_kept_as_asked_for(self):
        terminal = Terminal("feed", "--speed", "4", "--fps", "5")
        start = time.monotonic()
        self.assertEqual(terminal.wait(), 0)
        self.assertLessEqual(len(terminal.frames), 5 * (time.monotonic() - start) + 2)

    def test_signs_fade_and_ghosts_go(self):
        terminal = self.start_rows(3)
        events = [upsert("4", "new one"), '{"op":"delete","id":"2"}', '{"op":"move","id":"3","index":0}']
        terminal.feed('{"op":"batch","events":[%s]}' % ",".join(events))
        screen = terminal.see_on_screen("+ new one")
        self.assertIn("  - row 2.", screen)
        self.assertRegex(screen.line(2), r"^  > row 3\. +from \[0, 2\]$")
        terminal.read_while_quiet_for(1.2)
        self.assertEqual([terminal.screen.line(row) for row in range(2, 6)], ["    row 3.", "    row 1.", "    new one", ""])
        self.assertEqual(terminal.quit(), 0)


if __name__ == "__main__":
    unittest.main()
