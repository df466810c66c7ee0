"""A log on a terminal."""

import array
import contextlib
import fcntl
import select
import signal
import subprocess
import tempfile
import termios
import time
import unittest

from pseudo_terminal import DEMO, Terminal, TerminalTestCase, upsert


class PlainTests(TerminalTestCase):
    def test_a_log_on_a_terminal_is_words(self):
        for arguments, environment in ((["--log"], {}), ([], {"TERM": "dumb"}), (["--log", "--color=always"], {})):
            with self.subTest(arguments):
                terminal = Terminal("feed", "--lockstep", *arguments, environment=environment)
                self.assertEqual(terminal.wait(), 0)
                self.assertNotRegex(terminal.text.replace("\r\n", "\n"), "[\x00-\x09\x0b-\x1f]")
                for words in ("inserted", "updated", "moved to", "deleted", "= end:"):
                    self.assertIn(words, terminal.text)

    def test_standard_descriptors_that_are_closed_are_no_files_of_others(self):
        line = upsert("a", "row").replace("'", "")
        for redirections, code in (("<&-", 1), (">&-", 1), ("2>&-", 0), ("<&- >&- 2>&-", 1)):
            with self.subTest(redirections), tempfile.TemporaryDirectory() as folder:
                command = f"echo '{line}' | {{ {DEMO} stdin --archive {folder}/list {redirections}; }}"
                process = subprocess.run(["/bin/bash", "-c", command], capture_output=True, timeout=60)
                self.assertEqual(process.returncode, code, process.stderr)
                for name in ("list", "list.lock"):
                    with open(f"{folder}/{name}", "rb") as file:
                        content = file.read()
                    self.assertNotIn(b"demo:", content)
                    self.assertNotIn(b"#0 =", content)

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

    def test_signals_end_a_program_whose_output_nobody_reads(self):
        events = "".join(upsert(number, "x" * 80) + "\n" for number in range(2_000)).encode()
        with contextlib.ExitStack() as stack:
            programs = []
            for mode in ("--json", "--log"):
                file = stack.enter_context(tempfile.TemporaryFile())
                file.write(events)
                file.seek(0)
                programs.append(stack.enter_context(subprocess.Popen(
                    [DEMO, "stdin", "--lockstep", mode], stdin=file, stdout=subprocess.PIPE)))
                stack.callback(programs[-1].kill)
                self.wait_until_full(programs[-1].stdout)
            for program in programs:
                program.send_signal(signal.SIGTERM)
            # Who reads again gets the rest.
            text = programs[1].stdout.read()
            self.assertRegex(text.splitlines()[-1], b"^#[0-9]+ = end")
            self.assertEqual(programs[1].wait(60), 143)
            # Five seconds, and some for a machine that is busy.
            self.assertEqual(programs[0].wait(60), -signal.SIGTERM)

    def wait_until_full(self, pipe):
        former, waiting = -1, array.array("i", [0])
        deadline = time.monotonic() + 60
        while waiting[0] < 50_000 or waiting[0] != former:
            self.assertLess(time.monotonic(), deadline, f"{waiting[0]} bytes")
            former = waiting[0]
            select.select([], [], [], 0.2)
            fcntl.ioctl(pipe, termios.FIONREAD, waiting)

    def test_data_that_is_needed_is_not_waited_for_on_a_terminal(self):
        for arguments in (["stdin"], ["replay", "-"]):
            terminal = Terminal(*arguments)
            self.assertEqual(terminal.wait(), 2)
            self.assertIn("that is a terminal", terminal.text)
            self.assertNotIn("\x1b", terminal.text)


if __name__ == "__main__":
    unittest.main()
