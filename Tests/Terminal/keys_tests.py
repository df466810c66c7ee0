"""Keys and the mouse from a real terminal: where they come from, in which pieces, and what the demo does with them. What keys do in
every app is tested on a screen in memory, in `ScreenKeysTests.swift`."""

import re
import unittest

from pseudo_terminal import DEMO, Terminal, TerminalTestCase, upsert


def rows(count):
    return [upsert(number, f"row {number}.") for number in range(1, count + 1)]


class KeyTests(TerminalTestCase):
    def start_rows(self, count, **options):
        terminal = self.start_stdin(*rows(count), **options)
        terminal.see_on_screen(f"{count} rows")
        return terminal

    def focused(self, terminal):
        return next((line.strip("▸ *+") for line in str(terminal.screen).split("\n") if line.startswith("▸")), None)

    def press(self, terminal, keys, words):
        terminal.type(keys)
        terminal.see_on_screen(words)

    def test_keys_come_from_the_terminal_while_data_comes_from_a_pipe(self):
        for end, code in (("q", 0), ("\x03", 130)):
            with self.subTest(end):
                terminal = self.start_rows(3)
                terminal.type(end)
                self.assertEqual(terminal.wait(), code)
                self.assert_restored(terminal)

    def test_q_and_the_end_of_time_work_in_a_pause(self):
        terminal = self.start_rows(3)
        terminal.type("p")
        terminal.see_on_screen("PAUSED")
        self.assertEqual(terminal.quit(), 0)
        self.assert_restored(terminal)
        terminal = Terminal("feed", "--duration", "1.5")
        terminal.see("Messages")
        terminal.type("p")
        self.assertEqual(terminal.wait(), 0)
        self.assert_restored(terminal)

    def test_u_goes_back_one_update(self):
        terminal = self.start_stdin(upsert("1", "first"), arguments=("--lockstep",))
        terminal.see_on_screen("first")
        terminal.feed(upsert("1", "second"))
        terminal.see_on_screen("second")
        self.press(terminal, "u", "first")
        self.press(terminal, "u", "(empty list)")
        self.press(terminal, "u", "nothing to undo")
        self.assertEqual(terminal.quit(), 0)

    def test_the_feed_is_sorted_and_filtered_while_it_goes_on(self):
        # Slow enough that it goes on until the end of the test, also on a machine that is busy.
        terminal = Terminal("feed", "--seed", "7", "--speed", "0.5")
        # Rows that are gone stay for a moment, with a mark.
        names = lambda: re.findall(r"^  [ +~>] ([A-Z]\w+) ", str(terminal.screen), re.M)
        terminal.see_on_screen("Messages")
        self.press(terminal, "s", "sorted: by title, A to Z")
        terminal.read_until(lambda text: len(names()) > 5 and names() == sorted(names()))
        self.press(terminal, "s", "sorted: by title, Z to A")
        terminal.read_until(lambda text: len(names()) > 5 and names() == sorted(names(), reverse=True))
        self.press(terminal, "/", "filter:")
        self.press(terminal, "ad", "filter: ad")
        terminal.read_until(lambda text: names() and set(names()) <= {"Ada", "Radia"})
        terminal.type("\x1b")
        terminal.read_until(lambda text: set(names()) - {"Ada", "Radia"})
        terminal.read_until(lambda text: "filter:" not in terminal.screen)
        terminal.type("/ad\r")
        terminal.read_until(lambda text: terminal.screen.line(0).startswith("rowcast feed  filter: ad"))
        terminal.read_until(lambda text: "? help" in terminal.screen and set(names()) <= {"Ada", "Radia"})
        terminal.type("/\x15\r")
        terminal.read_until(lambda text: set(names()) - {"Ada", "Radia"} and "filter:" not in terminal.screen)
        self.assertEqual(terminal.quit(), 0)

    def test_control_l_draws_everything_again(self):
        terminal = self.start_rows(3)
        terminal.read_while_quiet_for(1.5)
        terminal.forget()
        terminal.type("\x0c")
        terminal.see("\x1b[2J")
        terminal.see("row 2.")
        self.assertEqual(terminal.quit(), 0)

    def test_a_key_in_pieces_is_one_key(self):
        terminal = self.start_rows(200)
        self.press(terminal, "jj", "▸   row 2.")
        for piece in ("\x1b", "[", "C", "\x1b", "[", "B"):
            terminal.type(piece)
            # Each piece is read by itself.
            terminal.read(0.005)
        terminal.see_on_screen("▸   row 3.")
        self.assertEqual(terminal.quit(), 0)

    def test_the_mouse_scrolls_and_focuses_unless_it_is_the_terminals(self):
        terminal = self.start_rows(200)
        self.assertIn("\x1b[?1000h\x1b[?1006h", terminal.text)
        self.press(terminal, "\x1b[<65;5;5M" * 2, "lines 7–")
        self.press(terminal, "\x1b[<0;5;4M\x1b[<0;5;4m", "▸   row 8.")
        self.press(terminal, "\x1b[<0;5;5M\x1b[<0;5;5m" * 2, "▸*  row 9.")
        self.assertEqual(terminal.quit(), 0)
        self.assert_restored(terminal)
        terminal = self.start_rows(3, arguments=("--no-mouse",))
        self.assertNotIn("?1000h", terminal.text)
        self.assertEqual(terminal.quit(), 0)

    def test_an_answer_about_the_ground_selects_the_theme(self):
        terminal = self.start_rows(3)
        self.assertIn("\x1b]11;?\x07", terminal.text)
        terminal.type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
        terminal.forget()
        terminal.feed(upsert("1", "changed"))
        terminal.see("\x1b[35m~")
        self.assertEqual(terminal.quit(), 0)
        for environment, arguments in (({"COLORFGBG": "0;15"}, ()), ({"NO_COLOR": "1"}, ()), ({}, ("--theme", "dark"))):
            terminal = self.start_rows(3, environment=environment, arguments=arguments)
            self.assertNotIn("\x1b]11", terminal.text)
            self.assertEqual(terminal.quit(), 0)

    def test_an_escape_alone_is_a_key(self):
        terminal = self.start_rows(3)
        self.press(terminal, "j", "▸   row 1.")
        terminal.type("\x1b")
        terminal.read_until(lambda text: self.focused(terminal) is None)
        self.assertEqual(terminal.quit(), 0)

    def test_characters_in_pieces_are_typed(self):
        terminal = self.start_feed()
        terminal.type("/")
        for byte in "é日🚀e\u0301".encode():
            terminal.type(bytes([byte]))
            # However long the rest takes.
            terminal.read(0.08)
        terminal.see_on_screen("filter: é日🚀e\u0301")
        terminal.type("\x7f")
        terminal.read_until(lambda text: "\u0301" not in terminal.screen)
        self.assertIn("filter: é日🚀", terminal.screen)
        self.assertEqual(self.interrupt(terminal), 130)

    def interrupt(self, terminal):
        terminal.type("\x03")
        return terminal.wait()

    def test_many_keys_at_once(self):
        terminal = self.start_rows(200)
        self.press(terminal, "\x1b[B" * 100, "▸   row 100.")
        self.assertEqual(terminal.quit(), 0)

    def test_control_s_and_control_v_stop_nothing(self):
        terminal = self.start_rows(3)
        self.press(terminal, "\x13j", "▸   row 1.")
        self.press(terminal, "\x16j", "▸   row 2.")
        self.assertEqual(self.interrupt(terminal), 130)
        self.assert_restored(terminal)

    def test_no_key_is_read_where_none_can_come_from(self):
        # A session without a controlling terminal: the data is read, and nothing waits for keys.
        terminal = Terminal(shell=f"echo '{upsert('a', 'alone')}' | setsid -w {DEMO} stdin --tty")
        self.assertEqual(terminal.wait(), 0)
        self.assertIn("alone", terminal.text)


if __name__ == "__main__":
    unittest.main()
