"""Where there is no screen: logs, JSON, pipes, colours."""

import json
import os
import re
import signal
import subprocess
import time
import unittest

from pseudo_terminal import DEMO, LEAVE, Terminal, TerminalTestCase


class PlainTests(TerminalTestCase):
    def test_a_log_on_a_terminal_is_words(self):
        for arguments, environment in ((["--log"], {}), ([], {"TERM": "dumb"}), (["--log", "--color=always"], {})):
            with self.subTest(arguments):
                terminal = Terminal("feed", "--lockstep", *arguments, environment=environment)
                self.assertEqual(terminal.wait(), 0)
                self.assertNotRegex(terminal.text.replace("\r\n", "\n"), "[\x00-\x09\x0b-\x1f]")
                for words in ("inserted", "updated", "moved to", "deleted", "= end:"):
                    self.assertIn(words, terminal.text)

    def test_a_pipe_gets_a_log_without_one_escape(self):
        terminal = Terminal(shell=f"{DEMO} feed --lockstep | cat", environment={"CLICOLOR_FORCE": "1"})
        self.assertEqual(terminal.wait(), 0)
        self.assertNotIn("\x1b", terminal.text)
        self.assertIn("= end:", terminal.text)

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

    def test_signals_that_come_at_once_are_not_lost(self):
        for _ in range(20):
            terminal = Terminal("feed")
            terminal.see("[?1049h")
            terminal.signal(signal.SIGTERM)
            self.assertEqual(terminal.wait(), 143)
            self.assert_restored(terminal)

    def test_colour_obeys_flags_and_environment(self):
        matrix = (
            ([], {}, True),
            ([], {"NO_COLOR": "1"}, False),
            ([], {"NO_COLOR": ""}, True),
            ([], {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False),
            (["--tty"], {"TERM": "dumb"}, False),
            (["--tty"], {"TERM": "dumb", "CLICOLOR_FORCE": "1"}, True),
            (["--no-color"], {}, False),
            (["--color", "always"], {"NO_COLOR": "1"}, True),
            (["--color=never"], {"CLICOLOR_FORCE": "1"}, False),
            (["--color=never", "--theme", "light"], {}, False),
        )
        for arguments, environment, expected in matrix:
            with self.subTest(arguments=arguments, environment=environment):
                terminal = Terminal("feed", "--speed", "5", *arguments, environment=environment)
                terminal.see("Messages")
                self.assertEqual(terminal.quit(), 0)
                drawn = terminal.text[: terminal.text.rfind(LEAVE)]
                self.assertEqual(bool(re.search(r"\x1b\[[\d;]+m", drawn)), expected)

    def test_a_light_ground_has_no_yellow_and_no_cyan(self):
        for arguments, environment, expected in (
            ([], {}, True), ([], {"COLORFGBG": "0;15"}, False), (["--theme", "light"], {}, False),
            (["--theme=dark"], {"COLORFGBG": "0;15"}, True),
        ):
            with self.subTest(arguments=arguments, environment=environment):
                terminal = Terminal("feed", "--speed", "5", *arguments, environment=environment)
                self.assertEqual(terminal.wait(), 0)
                self.assertEqual(bool(re.search("\x1b\\[3[36]m", terminal.text)), expected)

    def test_meaning_survives_without_colour(self):
        # Tall enough for all sections: signs are drawn only where they can be seen.
        terminal = Terminal("feed", "--speed", "2", "--no-color", size=(60, 80))
        self.assertEqual(terminal.wait(), 0)
        for sign in ("  + ", "  ~ ", "  > ", "  - "):
            self.assertIn(sign, terminal.text)

    def test_data_that_is_needed_is_not_waited_for_on_a_terminal(self):
        for arguments in (["stdin"], ["replay", "-"]):
            terminal = Terminal(*arguments)
            self.assertEqual(terminal.wait(), 2)
            self.assertIn("that is a terminal", terminal.text)
            self.assertNotIn("\x1b", terminal.text)

    def test_lines_arrive_as_they_happen_also_in_a_pipe(self):
        for mode in ("--json", "--log"):
            with subprocess.Popen([DEMO, "feed", mode], stdout=subprocess.PIPE, bufsize=0) as process:
                start = time.monotonic()
                times = []
                while len(times) < 20:
                    times += [time.monotonic() - start] * os.read(process.stdout.fileno(), 65536).count(b"\n")
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(20), -signal.SIGTERM if process.returncode == -15 else 143)
            self.assertLess(times[0], 1)
            self.assertGreater(len(set(times)), 3, "lines came in several writes")

    def test_json_is_one_object_a_line_and_everything_else_is_on_standard_error(self):
        lines = '{"op":"upsert","id":1,"section":"s"}\nbad\n{"op":"delete","id":"none"}\n'
        result = subprocess.run([DEMO, "stdin", "--json"], input=lines, capture_output=True, text=True, timeout=20)
        kinds = [json.loads(line)["kind"] for line in result.stdout.splitlines()]
        self.assertEqual((kinds[0], kinds[-1]), ("initial", "end"))
        self.assertEqual(len(result.stderr.splitlines()), 2)
        self.assertTrue(all(line.startswith("demo: line ") for line in result.stderr.splitlines()))


if __name__ == "__main__":
    unittest.main()
