"""An app with hooks: see `HookedApps/main.swift`."""

import os
import re
import signal
import unittest

from programs import ROOT, build
from pseudo_terminal import Terminal, TerminalTestCase


class HookTests(TerminalTestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(ROOT, "Tests/Terminal/HookedApps/main.swift"), encoding="utf-8") as file:
            cls.program = build(cls, "apps", file.read())

    def start(self, mode, **options):
        return Terminal(shell=f"exec {self.program} {mode}", **options)

    def assert_left(self, terminal, words):
        """Sees that the terminal and the signals are the program's own again."""
        terminal.see(words)
        self.assert_restored(terminal)
        terminal.type("a line\n")
        terminal.see("read a line")
        terminal.signal(signal.SIGTERM)
        self.assertEqual(terminal.wait(), 128 + signal.SIGTERM)

    def test_an_app_that_has_ended_leaves_the_terminal_and_the_signals_to_the_program(self):
        terminal = self.start("list")
        terminal.see_on_screen("fruit 1")
        terminal.type("q")
        terminal.see("ended: ")
        # The program had asked for this one to be ignored.
        terminal.signal(signal.SIGHUP)
        self.assert_left(terminal, "ended: ")

    def test_a_crash_after_the_app_writes_nothing_onto_the_screen(self):
        terminal = self.start("list")
        terminal.see_on_screen("fruit 1")
        terminal.type("q")
        terminal.see("ended: ")
        terminal.forget()
        terminal.signal(signal.SIGSEGV)
        self.assertEqual(terminal.wait(), 128 + signal.SIGSEGV)
        self.assertNotIn("\x1b", terminal.text)

    def test_exit_and_an_overflow_of_the_stack_restore_the_terminal(self):
        for key, code in (("x", 3), ("r", 128 + signal.SIGSEGV), ("c", 128 + signal.SIGSEGV), ("i", None)):
            with self.subTest(key):
                terminal = self.start("keys")
                terminal.see_on_screen("fruit 2")
                terminal.type(key)
                # A trap is one signal or another, as the processor has it.
                self.assertIn(terminal.wait(), [code] if code else [128 + signal.SIGILL, 128 + signal.SIGTRAP])
                self.assert_restored(terminal)

    def test_a_run_after_two_interrupts_works(self):
        terminal = self.start("again")
        terminal.see_on_screen("run 1")
        terminal.type("\x03\x03")
        terminal.see("ended 1: signalled")
        # On a busy machine the second of them comes to the second run.
        for run in (2, 3):
            terminal.read_until(lambda text: f"ended {run}: signalled" in text or self.is_shown(terminal, run))
            terminal.type("j")
            terminal.read_until(lambda text: f"ended {run}: signalled" in text or "▸" in str(terminal.screen))
            if f"ended {run}: signalled" not in terminal.text:
                terminal.type("q")
                terminal.see(f"ended {run}: quit")
        self.assertIn("ended 3: quit", terminal.text)
        self.assert_restored(terminal)
        # The signal has its own action again.
        terminal.signal(signal.SIGINT)
        self.assertEqual(terminal.wait(), 130)

    def is_shown(self, terminal, run):
        screen = str(terminal.screen)
        return f"run {run}" in screen and "fruit 1" in screen

    def test_an_app_that_has_ended_leaves_no_terminal_open(self):
        terminal = self.start("again", data=True)
        counts = []
        for run in (1, 2, 3):
            terminal.see_on_screen(f"run {run}")
            counts.append(len(self.descriptors(terminal)))
            terminal.type("q")
            terminal.see(f"ended {run}: quit")
        for _ in range(200):
            # What reads keys is told to end, and does that in its own time.
            if not self.open_terminals(terminal) and len(self.descriptors(terminal)) <= counts[0]:
                break
            terminal.read(0.05)
        self.assertEqual(self.open_terminals(terminal), [])
        # What the first run may have left would be there twice in the third; the reader of one run may still be about to end.
        self.assertLessEqual(len(self.descriptors(terminal)), counts[0])
        terminal.end_input()
        self.assertEqual(terminal.wait(), 0)
        self.assert_restored(terminal)

    def open_terminals(self, terminal):
        """What the program has open beside its standard input, output and error: terminals."""
        return [link for link in self.descriptors(terminal) if re.match("/dev/(tty|pts)", link[1])]

    def descriptors(self, terminal):
        folder = f"/proc/{terminal.pid}/fd"
        links = []
        for name in os.listdir(folder):
            try:
                links.append((int(name), os.readlink(os.path.join(folder, name))))
            except FileNotFoundError:
                pass
        return [link for link in links if link[0] > 2]


if __name__ == "__main__":
    unittest.main()
