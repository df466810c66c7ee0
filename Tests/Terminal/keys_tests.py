"""What keys do, and where they come from."""

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

    def test_arrows_and_letters_move_the_focus(self):
        terminal = self.start_rows(200)
        self.assertIsNone(self.focused(terminal))
        for keys, row in (
            ("j", "row 1."), ("j", "row 2."), ("\x1b[B", "row 3."), ("k", "row 2."), ("\x1b[A", "row 1."),
            ("G", "row 200."), ("k", "row 199."), ("g", "row 1."), ("\x1b[F", "row 200."), ("\x1b[H", "row 1."),
            ("\x1bOB", "row 2."),
        ):
            self.press(terminal, keys, f"▸   {row}")
            self.assertEqual(self.focused(terminal), row)
        terminal.type("\x1b")
        terminal.read_until(lambda text: self.focused(terminal) is None)
        self.assertEqual(terminal.quit(), 0)

    def test_pages(self):
        terminal = self.start_rows(200)
        self.press(terminal, " ", "lines 15")
        self.press(terminal, "b", "lines 1–")
        # The last column is written and not erased again.
        self.assertRegex(terminal.screen.line(0), r" of 201$")
        self.assertEqual(len(terminal.screen.line(0)), 80)
        self.press(terminal, "\x1b[6~", "lines 15")
        self.press(terminal, "\x1b[5~", "lines 1–")
        self.assertEqual(terminal.quit(), 0)

    def test_the_end_of_the_list_is_seen_after_the_screen_became_smaller(self):
        terminal = self.start_rows(200)
        terminal.resize(10, 80)
        terminal.read_until(lambda text: terminal.screen.line(9).startswith("q quit"))
        self.press(terminal, "G", "row 200.")
        self.assertEqual(terminal.quit(), 0)

    def test_enter_selects_and_deselects(self):
        terminal = self.start_rows(3)
        terminal.type("jj\r")
        terminal.see_on_screen("▸*")
        terminal.type("\r")
        terminal.read_until(lambda text: "▸*" not in terminal.screen)
        self.assertEqual(self.focused(terminal), "row 2.")
        self.assertEqual(terminal.quit(), 0)

    def test_the_focus_stays_with_its_row(self):
        terminal = self.start_rows(3)
        self.press(terminal, "jjj", "▸   row 3.")
        # Only this row can be what moved.
        terminal.feed('{"op":"move","id":"3","index":0}')
        terminal.see_on_screen("▸ > row 3.")
        self.assertEqual(terminal.screen.line(2)[:10].strip(), "▸ > row 3.")
        self.assertEqual(terminal.quit(), 0)

    def test_f_follows_the_end(self):
        terminal = self.start_rows(50)
        terminal.type("f")
        terminal.see_on_screen("row 50.")
        terminal.feed(upsert("new", "newest"))
        terminal.see_on_screen("newest")
        self.assertIn("following", terminal.screen)
        terminal.type("f")
        terminal.read_until(lambda _: "following" not in terminal.screen)
        terminal.feed(upsert("newer", "never seen"))
        terminal.see_on_screen("52 rows")
        self.assertNotIn("never seen", terminal.screen)
        self.assertEqual(terminal.quit(), 0)

    def updates(self, terminal):
        terminal.read_while_quiet_for(0.7)
        return int(re.search(r"(\d+) updates?", str(terminal.screen)).group(1))

    def test_p_freezes_the_list_and_the_net_difference_follows_as_one_update(self):
        terminal = self.start_rows(3)
        before = self.updates(terminal)
        self.press(terminal, "p", "PAUSED")
        terminal.feed(upsert("4", "while paused"), '{"op":"delete","id":"1"}')
        terminal.feed(upsert("5", "gone"), '{"op":"delete","id":"5"}')
        terminal.read_while_quiet_for(0.7)
        self.assertIn("revision 3", terminal.screen)
        terminal.forget()
        terminal.type("p")
        terminal.see("while paused")
        terminal.see("revision 7")
        self.assertNotIn("gone", terminal.text, "what came and went while the list stood still is not shown")
        self.assertEqual(self.updates(terminal), before + 1)
        self.assertEqual(terminal.quit(), 0)

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

    def test_the_page_of_help_names_every_key_and_any_key_leaves_it(self):
        terminal = self.start_rows(3)
        terminal.type("?")
        screen = str(terminal.see_on_screen("Keys"))
        for word in ("q ", "p ", "u ", "f ", "PgUp", "Enter", "Esc", "+ new", "~ changed", "> moved", "- gone"):
            self.assertIn(word, screen)
        self.press(terminal, "x", "row 3.")
        terminal.type("?")
        terminal.see_on_screen("Keys")
        self.assertEqual(terminal.quit(), 0)

    def test_control_l_draws_everything_again(self):
        terminal = self.start_rows(3)
        terminal.read_while_quiet_for(1.5)
        terminal.forget()
        terminal.type("\x0c")
        terminal.see("\x1b[2J")
        terminal.see("row 2.")
        self.assertEqual(terminal.quit(), 0)

    def test_pasted_rubbish_does_nothing(self):
        terminal = self.start_rows(3)
        terminal.type("\x1b[200~xyz\x1b[201~\x1b[999;999R\x1b]11;rgb:0/0/0\x07\x00\x1f🚀")
        self.press(terminal, "j", "▸")
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

    def test_an_arrow_in_pieces_does_not_take_a_filter_away(self):
        terminal = self.start_feed()
        self.press(terminal, "/ad", "filter: ad")
        for piece in ("\x1b", "[", "C"):
            terminal.type(piece)
            terminal.read(0.005)
        self.press(terminal, "a", "filter: ada")
        terminal.type("\r")
        terminal.see_on_screen("? help")
        self.assertIn("filter: ada", terminal.screen.line(0))
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

    def test_a_paste_is_text(self):
        terminal = self.start_feed()
        self.press(terminal, "/\x1b[200~" + "é" * 60 + "\x1b[201~", "filter: " + "é" * 60)
        self.press(terminal, "\x15" + "é" * 150 + "\x7f" * 90, "filter: " + "é" * 60)
        self.assertNotIn("\ufffd", terminal.text)
        self.press(terminal, "\x15\x1b[200~qu\rit\x1b[201~", "filter: quit")
        terminal.type("\x15\r")
        terminal.see_on_screen("? help")
        # No commands, where no text is wanted.
        terminal.type("\x1b[200~qpq\x1b[201~?")
        terminal.see_on_screen("Keys")
        self.assertNotIn("PAUSED", terminal.screen)
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
