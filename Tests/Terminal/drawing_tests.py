"""What is written to a real terminal around frames, its size, and resizes. Frames themselves are tested on a screen in memory, in
`Tests/RowcastConsoleTests/ScreenDrawingTests.swift`."""

import re
import time
import unittest

from pseudo_terminal import BEGIN, END, LEAVE, OWN, Terminal, TerminalTestCase


class DrawingTests(TerminalTestCase):
    def test_around_frames_the_screen_is_taken_over_and_given_back(self):
        asked = "\x1b[?2026$p\x1b[?2027$p\x1b[?2031$p\x1b[?2048$p\x1b[?u"
        frame = re.compile(r"(\x1b\[2J)?(\x1b\[\d+;\d+H\x1b\[K[^\x1b]*(\x1b\[([\d;]+m|\d+G)[^\x1b]*)*)+")
        for arguments, mouse, questions in (
            # Nothing is asked by a run that may be over before the answer.
            (("--max-updates", "9"), True, ""),
            (("--max-updates", "9", "--no-mouse", "--theme", "dark"), False, ""),
            ((), True, asked + "\x1b]11;?\x07\x1b[c"),
            (("--theme", "dark"), True, asked + "\x1b[c"),
        ):
            with self.subTest(arguments):
                terminal = Terminal("feed", "--lockstep", *arguments)
                self.assertEqual(terminal.wait(), 0)
                text = terminal.text[: terminal.text.rfind("\x1b[?1049l")]
                outside = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), "", text, flags=re.DOTALL)
                wheel = "\x1b[?1000h\x1b[?1006h" if mouse else ""
                begin = f"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h{wheel}{questions}\x1b[2J"
                self.assertTrue(outside.startswith(begin), repr(outside[:200]))
                # The terminal is asked before the screen is cleared, and what it does not know is not used.
                end = ("\x1b[?2026l" if BEGIN in text else "") + LEAVE[: LEAVE.rfind("\x1b")]
                self.assertTrue(outside.endswith(end), repr(outside[-200:]))
                self.assertEqual(frame.sub("", outside[len(begin) : -len(end)]), "")

    def test_a_storm_of_resizes_keeps_the_frame_rate(self):
        terminal = self.start_feed("--fps", "5")
        terminal.forget()
        start = time.monotonic()
        for number in range(600):
            terminal.resize(24 + number % 7, 80 - number % 11)
            terminal.read(0.001)
        terminal.resize(10, 50)
        terminal.read_until(lambda text: terminal.has_whole_frames and terminal.screen.line(9).startswith("q quit"))
        self.assertLessEqual(len(terminal.frames), 5 * (time.monotonic() - start) + 2)
        self.assert_quits(terminal)

    def test_the_size_comes_from_the_terminal_then_the_environment(self):
        for size, expected in (((0, 0), (10, 40)), ((12, 60), (12, 60))):
            with self.subTest(size=size):
                terminal = Terminal("stdin", data=True, size=size, environment={"LINES": "10", "COLUMNS": "40"})
                terminal.see(f"\x1b[{expected[0]};1H")
                terminal.read_while_quiet_for(0.1)
                frame = terminal.text
                self.assertEqual(max(int(row) for row in re.findall(r"\x1b\[(\d+);1H", frame)), expected[0])
                self.assertLessEqual(max(map(len, OWN.sub("\n", frame).split("\n"))), expected[1])
                self.assert_quits(terminal)

    def test_a_screen_reader_finds_the_cursor_at_the_focused_row(self):
        for arguments, environment in ((("--screen-reader",), {}), ((), {"ACCESSIBLE": "1"})):
            with self.subTest(arguments):
                terminal = Terminal("settings", *arguments, environment=environment)
                terminal.see("Wi-Fi")
                terminal.type("j")
                terminal.read_until(lambda text: text.endswith("\x1b[3;1H\x1b[?25h" + END))
                terminal.type("j")
                terminal.read_until(lambda text: text.endswith("\x1b[4;1H\x1b[?25h" + END))
                terminal.type("\x06blue")
                terminal.read_until(lambda text: text.endswith("\x1b[24;13H\x1b[?25h" + END))
                self.assertNotIn("▸", str(terminal.screen))
                terminal.type("\r")
                self.assert_quits(terminal)


if __name__ == "__main__":
    unittest.main()
