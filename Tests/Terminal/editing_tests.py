"""The jobs that the documentation prints: their key `r` is an edit that shows at once and that a slow server refuses half the time."""

import os
import re
import sys
import tempfile
import unittest

from programs import ROOT, build
from pseudo_terminal import END, Terminal, TerminalTestCase

sys.path.insert(0, os.path.join(ROOT, "Tests/Documentation"))
from pages import programs

PAGE = os.path.join(ROOT, "Sources/Rowcast/Rowcast.docc/EditingLists.md")


class EditingTests(TerminalTestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.code = next(
            block.text for program in programs(PAGE) for block in program.blocks if block.path == "Sources/jobs/main.swift")
        source = os.path.join(cls.folder.name, "main.swift")
        with open(source, "w", encoding="utf-8") as file:
            file.write(cls.code)
        cls.jobs = build(source, os.path.join(cls.folder.name, "jobs"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def row(self, terminal, job):
        return next((line for line in str(terminal.screen).split("\n") if f"job {job} " in line), "")

    def see_row(self, terminal, job, pattern):
        terminal.read_until(lambda text: text.endswith(END) and re.search(pattern, self.row(terminal, job)))

    def test_the_optimistic_key_is_short(self):
        lines = self.code.splitlines()
        key = lines[lines.index("app.keys = ["):-1]
        others = [line for line in lines if "OptimisticList(" in line or "app.pending" in line]
        self.assertLessEqual(len(key) + len(others), 15)

    def test_an_edit_shows_at_once_and_is_confirmed_or_taken_back_while_updates_arrive(self):
        terminal = Terminal(shell=f"exec {self.jobs}")
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
        self.assertEqual(terminal.quit(), 0)

    def test_two_edits_wait_for_their_answers_side_by_side(self):
        terminal = Terminal(shell=f"exec {self.jobs}")
        terminal.see_on_screen("job 5")
        terminal.type("jrjr")
        self.see_row(terminal, 1, "job 1 +queued")
        self.see_row(terminal, 2, "job 2 +queued")
        terminal.see_on_screen("is not queued: the server is busy")
        states = [self.row(terminal, job) for job in (1, 2)]
        self.assertEqual(sorted("queued" in state for state in states), [False, True], states)
        self.assertEqual(terminal.quit(), 0)

    def test_a_message_shows_before_it_is_sent_and_one_that_is_refused_can_be_sent_again(self):
        terminal = Terminal("chat", "--seed", "3", size=(50, 100))
        terminal.see_on_screen("w write")
        for number in range(10):
            terminal.type("w")
            terminal.see_on_screen("Enter sends")
            terminal.type(f"message {number}\r")
            terminal.see_on_screen(f"… you      message {number}")
            terminal.read_until(lambda text: text.endswith(END) and "… you" not in str(terminal.screen))
            if "was not sent" in terminal.screen:
                break
        terminal.see_on_screen("was not sent: the server is busy; r sends it again")
        terminal.read_until(lambda text: text.endswith(END) and f"you      message {number}\n" not in str(terminal.screen))
        terminal.type("r")
        terminal.see_on_screen(f"… you      message {number}")
        self.assertEqual(terminal.quit(), 0)


if __name__ == "__main__":
    unittest.main()
