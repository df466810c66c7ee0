"""Keys and reports from a real terminal: where they come from, in which pieces, and what is asked for. What they do is tested on a
screen in memory, in `Tests/RowcastConsoleTests/Screen*Tests.swift`."""

import unittest

from pseudo_terminal import DEMO, Terminal, TerminalTestCase, upsert


class KeyTests(TerminalTestCase):
    def start_rows(self, count, **options):
        terminal = self.start_stdin(*[upsert(number, f"row {number}.") for number in range(1, count + 1)], **options)
        terminal.see_on_screen(f"{count} rows")
        return terminal

    def press(self, terminal, keys, words):
        terminal.type(keys)
        terminal.see_on_screen(words)

    def type_in_pieces(self, terminal, pieces, seconds):
        """Types pieces that are read each by itself."""
        for piece in pieces:
            terminal.type(piece)
            terminal.read(seconds)

    def test_keys_come_from_the_terminal_while_data_comes_from_a_pipe(self):
        for end, code in (("q", 0), ("\x03", 130)):
            with self.subTest(end):
                terminal = self.start_rows(3)
                terminal.type(end)
                self.assert_ends(terminal, code)

    def test_an_answer_about_the_background_selects_the_theme(self):
        terminal = self.start_rows(3)
        terminal.type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
        terminal.forget()
        terminal.feed(upsert("1", "changed"))
        terminal.see("\x1b[35m~")
        self.assert_quits(terminal)

    def test_keys_and_reports_in_pieces_are_put_together(self):
        terminal = self.start_rows(200)
        self.press(terminal, "jj", "▸   row 2.")
        self.type_in_pieces(terminal, ("\x1b", "[", "C", "\x1b", "[", "B"), 0.005)
        terminal.see_on_screen("▸   row 3.")
        # An escape with nothing behind it is a key.
        terminal.type("\x1b")
        terminal.read_until(lambda text: "▸" not in terminal.screen)
        self.press(terminal, "\x1b[<65;5;5M" * 2, "lines 7–")
        self.press(terminal, "\x1b[<0;5;4M\x1b[<0;5;4m", "▸   row 8.")
        # However long the rest of a character takes.
        self.type_in_pieces(terminal, (bytes([byte]) for byte in "\x06é日🚀e\u0301".encode()), 0.08)
        terminal.see_on_screen("search: é日🚀e\u0301")
        terminal.type("\x03")
        self.assert_ends(terminal, 130)

    def test_alt_edits_a_prompt_and_is_no_command(self):
        terminal = self.start_rows(3)
        terminal.type("\x1bq\x1bPq\x1b\\\x1b[M q!")
        self.press(terminal, "\x06", "search: _")
        self.press(terminal, "row two 3", "search: row two 3_")
        self.press(terminal, "\x1bb\x1bb\x1bd\x1b[M q!", "search: row  3_")
        self.press(terminal, "\x1b\x7f", "search:  3_")
        self.press(terminal, "\x05\x15\x1b[200~row\n3\x1b[201~", "search: row 3_")
        self.press(terminal, "\r", "▸   row 3.")
        self.assert_quits(terminal)

    def test_control_s_and_control_v_stop_nothing(self):
        terminal = self.start_rows(3)
        self.press(terminal, "\x13j", "▸   row 1.")
        self.press(terminal, "\x16j", "▸   row 2.")
        self.assert_quits(terminal)

    def test_no_key_is_read_where_none_can_come_from(self):
        # A session without a controlling terminal: the data is read, and nothing waits for keys.
        terminal = Terminal(shell=f"echo '{upsert('a', 'alone')}' | setsid -w {DEMO} stdin --tty")
        self.assertEqual(terminal.wait(), 0)
        self.assertIn("alone", terminal.text)
        # Nor would anybody read what the mouse does, or the colour of the background.
        self.assertNotIn("?1000h", terminal.text)
        self.assertNotIn("\x1b]11", terminal.text)


if __name__ == "__main__":
    unittest.main()
