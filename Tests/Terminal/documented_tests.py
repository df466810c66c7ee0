"""Programs that the documentation prints: built as they stand there, and driven in a terminal."""

import os
import re
import signal
import subprocess
import sys
import unittest

from programs import ROOT, build
from pseudo_terminal import Terminal, TerminalTestCase

sys.path.insert(0, os.path.join(ROOT, "Tests/Documentation"))
from pages import pieces, programs, read

CATALOG = os.path.join(ROOT, "Sources/Rowcast/Rowcast.docc")


class DashboardTests(TerminalTestCase):
    @classmethod
    def setUpClass(cls):
        cls.code = next(
            piece.text for piece in pieces(read(os.path.join(CATALOG, "TerminalApps.md"))) if piece.kind == "swift")
        cls.program = build(cls, "dashboard", cls.code)

    def test_it_is_short(self):
        self.assertLessEqual(len(self.code.splitlines()), 40)

    def test_keys_sort_filter_pause_focus_and_quit(self):
        # High enough for all processes of a machine that runs tests.
        terminal = Terminal(shell=f"exec {self.program}", size=(500, 80))
        for words in ("dashboard", "/proc live", "    PID  NAME", "Running  ", "processes in ", "q quit", "s sort", "/ filter"):
            terminal.see_on_screen(words)
        self.assertNotIn("operations", terminal.screen)
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
        for keys, words in (("j", "▸"), ("\r", "▸*"), ("p", "PAUSED"), ("?", "next order: as it comes, by PID, by NAME, by MB")):
            terminal.type(keys)
            terminal.see_on_screen(words)
        terminal.type(" ")
        terminal.resize(10, 40)
        terminal.see_on_screen("PAUSED")
        self.assert_quits(terminal)

    def test_a_signal_ends_it_with_its_code(self):
        terminal = Terminal(shell=f"exec {self.program}")
        terminal.see_on_screen("processes")
        terminal.signal(signal.SIGTERM)
        self.assert_ends(terminal, 128 + signal.SIGTERM)

    def test_without_a_terminal_it_writes_a_log(self):
        reader = subprocess.Popen([self.program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # The source says that it works, before or after its first list.
        while (first := reader.stdout.readline()).startswith("! "):
            self.assertRegex(first, r"^! source /proc (connecting|live)$")
        self.assertRegex(first, r"^#\d+ = list of ")
        while "dashboard" not in (line := reader.stdout.readline()):
            self.assertNotIn("\x1b", line)
        reader.send_signal(signal.SIGTERM)
        self.assertEqual(reader.wait(20), 128 + signal.SIGTERM)
        reader.communicate()


class JobTests(TerminalTestCase):
    """The key `r` is an edit that shows at once, and that a slow server refuses half the time."""

    @classmethod
    def setUpClass(cls):
        page = programs(os.path.join(CATALOG, "EditingLists.md"))
        cls.code = next(block.text for program in page for block in program.blocks if block.path == "Sources/jobs/main.swift")
        cls.program = build(cls, "jobs", cls.code)

    def row(self, terminal, job):
        return next((line for line in str(terminal.screen).split("\n") if f"job {job} " in line), "")

    def see_row(self, terminal, job, pattern):
        terminal.read_until(lambda text: terminal.has_whole_frames and re.search(pattern, self.row(terminal, job)))

    def test_the_optimistic_key_is_short(self):
        lines = self.code.splitlines()
        key = lines[lines.index("app.keys = ["):-1]
        others = [line for line in lines if "OptimisticList(" in line or "app.pending" in line]
        self.assertLessEqual(len(key) + len(others), 15)

    def test_an_edit_shows_at_once_and_is_confirmed_or_taken_back_while_updates_arrive(self):
        terminal = Terminal(shell=f"exec {self.program}")
        terminal.see_on_screen("job 5")
        terminal.type("r")
        terminal.see_on_screen("no job is focused")
        terminal.type("jr")
        self.see_row(terminal, 1, "… job 1 +queued")
        terminal.see_on_screen("job 1 is queued")
        self.see_row(terminal, 1, "▸ [ ~] job 1 +queued +[1-9]")
        # The second one is refused.
        terminal.type("jr")
        self.see_row(terminal, 2, "… job 2 +queued")
        terminal.see_on_screen("job 2 is not queued: the server is busy")
        self.see_row(terminal, 2, "job 2 +failed +[1-9]")
        self.assertIn("queued", self.row(terminal, 1))
        # Two wait for their answers side by side.
        terminal.type("jrjr")
        terminal.read_until(lambda _: all(re.search(f"… job {job} +queued", self.row(terminal, job)) for job in (3, 4)))
        self.assert_quits(terminal)


if __name__ == "__main__":
    unittest.main()
