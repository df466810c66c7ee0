"""The dashboard that the documentation prints: built as it stands there, and driven in a terminal."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from programs import ROOT, build
from pseudo_terminal import Terminal, TerminalTestCase

sys.path.insert(0, os.path.join(ROOT, "Tests/Documentation"))
from pages import pieces, read

PAGE = os.path.join(ROOT, "Sources/Rowcast/Rowcast.docc/TerminalApps.md")


class DashboardTests(TerminalTestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.code = next(piece.text for piece in pieces(read(PAGE)) if piece.kind == "swift")
        source = os.path.join(cls.folder.name, "main.swift")
        with open(source, "w", encoding="utf-8") as file:
            file.write(cls.code)
        cls.dashboard = build(source, os.path.join(cls.folder.name, "dashboard"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, **options):
        # High enough for all processes of a machine that runs tests.
        terminal = Terminal(shell=f"exec {self.dashboard}", size=(500, 80), **options)
        terminal.see_on_screen("processes")
        terminal.see_on_screen("dashboard")
        return terminal

    def test_it_is_short(self):
        self.assertLessEqual(len(self.code.splitlines()), 40)

    def test_sections_columns_source_and_footer_are_on_the_screen(self):
        screen = str(self.start().screen)
        for words in ("/proc live", "    PID  NAME", "Running  ", "processes in ", "q quit", "s sort", "/ filter"):
            self.assertIn(words, screen)
        self.assertNotIn("operations", screen)

    def test_keys_sort_filter_pause_focus_and_quit(self):
        terminal = self.start()
        terminal.type("s")
        terminal.see_on_screen("sorted: by PID")
        terminal.type("/")
        terminal.see_on_screen("filter: ")
        terminal.type("dashboard\r")
        terminal.see_on_screen("filter: dashboard")
        terminal.see_on_screen("1 processes in 1 states")
        # What is gone stays for a moment, with a mark.
        states = lambda: re.findall(r"(?:Running|Sleeping|Idle|Zombies|Other)  ", str(terminal.screen))
        terminal.read_until(lambda text: len(states()) == 1)
        terminal.type("j")
        terminal.see_on_screen("▸")
        terminal.type("\r")
        terminal.see_on_screen("▸*")
        terminal.type("p")
        terminal.see_on_screen("PAUSED")
        terminal.type("?")
        terminal.see_on_screen("next order: as it comes, by PID, by NAME, by MB")
        terminal.type(" ")
        terminal.resize(10, 40)
        terminal.see_on_screen("PAUSED")
        self.assertEqual(terminal.quit(), 0)
        self.assert_restored(terminal)

    def test_signals_end_it_with_their_codes(self):
        for keys, number in (("\x03", signal.SIGINT), ("", signal.SIGTERM), ("", signal.SIGHUP)):
            with self.subTest(number):
                terminal = self.start()
                if keys:
                    terminal.type(keys)
                else:
                    terminal.signal(number)
                self.assertEqual(terminal.wait(), 128 + number)
                self.assert_restored(terminal)

    def test_control_z_gives_the_terminal_back_and_resuming_takes_it_again(self):
        terminal = self.start()
        terminal.signal(signal.SIGTSTP)
        terminal.see("[?1049l")
        _, status = os.waitpid(terminal.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status))
        self.assert_restored(terminal)
        terminal.forget()
        terminal.signal(signal.SIGCONT)
        terminal.see("[?1049h")
        terminal.see_on_screen("processes in ")
        self.assertEqual(terminal.quit(), 0)
        self.assert_restored(terminal)

    def test_a_crash_restores(self):
        terminal = self.start()
        terminal.signal(signal.SIGSEGV)
        self.assertEqual(terminal.wait(), 128 + signal.SIGSEGV)
        self.assert_restored(terminal)

    def test_without_a_terminal_it_writes_a_log(self):
        reader = subprocess.Popen([self.dashboard], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = reader.stdout.readline()
        self.assertRegex(first, r"^#\d+ = list of ")
        while "dashboard" not in (line := reader.stdout.readline()):
            self.assertNotIn("\x1b", line)
        reader.send_signal(signal.SIGTERM)
        self.assertEqual(reader.wait(20), 128 + signal.SIGTERM)
        reader.communicate()


if __name__ == "__main__":
    unittest.main()
