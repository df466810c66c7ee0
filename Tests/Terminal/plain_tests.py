"""A log on a terminal."""

import signal
import unittest

from pseudo_terminal import DEMO, Terminal, TerminalTestCase


class PlainTests(TerminalTestCase):
    def test_a_log_on_a_terminal_is_words(self):
        for arguments, environment in ((["--log"], {}), ([], {"TERM": "dumb"}), (["--log", "--color=always"], {})):
            with self.subTest(arguments):
                terminal = Terminal("feed", "--lockstep", *arguments, environment=environment)
                self.assertEqual(terminal.wait(), 0)
                self.assertNotRegex(terminal.text.replace("\r\n", "\n"), "[\x00-\x09\x0b-\x1f]")
                for words in ("inserted", "updated", "moved to", "deleted", "= end:"):
                    self.assertIn(words, terminal.text)

    def test_signals_end_a_log_with_their_codes(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            terminal = Terminal("feed", "--log")
            terminal.see("inserted")
            terminal.signal(number)
            self.assertEqual(terminal.wait(), 128 + number)

    def test_a_signal_that_the_program_was_started_to_ignore_is_ignored(self):
        terminal = Terminal(shell=f"trap '' HUP INT; exec {DEMO} feed --log")
        terminal.see("inserted")
        for number in (signal.SIGHUP, signal.SIGINT):
            terminal.signal(number)
        terminal.forget()
        terminal.see("row")
        terminal.signal(signal.SIGTERM)
        self.assertEqual(terminal.wait(), 143)

    def test_data_that_is_needed_is_not_waited_for_on_a_terminal(self):
        for arguments in (["stdin"], ["replay", "-"]):
            terminal = Terminal(*arguments)
            self.assertEqual(terminal.wait(), 2)
            self.assertIn("that is a terminal", terminal.text)
            self.assertNotIn("\x1b", terminal.text)


if __name__ == "__main__":
    unittest.main()
