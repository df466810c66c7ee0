"""An app with hooks, and a loop of its own on a terminal: see `HookedApps/main.swift`."""

import os
import signal
import tempfile
import unittest

from programs import ROOT, build
from pseudo_terminal import Terminal, TerminalTestCase


class HookTests(TerminalTestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        source = os.path.join(ROOT, "Tests/Terminal/HookedApps/main.swift")
        cls.program = build(source, os.path.join(cls.folder.name, "apps"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, mode):
        return Terminal(shell=f"exec {self.program} {mode}")

    def test_enter_tells_the_app_which_row_was_selected(self):
        terminal = self.start("pages")
        terminal.see_on_screen("fruit 1")
        terminal.type("jj\r")
        terminal.see_on_screen("marked 1")
        self.assertNotIn("marked 0", terminal.screen)
        self.assert_left(terminal)

    def test_the_end_of_the_list_tells_the_app_to_load_more(self):
        terminal = self.start("pages")
        terminal.see_on_screen("fruit 1")
        self.assertNotIn("60 rows", terminal.screen)
        terminal.type("G")
        terminal.see_on_screen("60 rows")
        terminal.type("G")
        terminal.see_on_screen("90 rows")
        self.assert_left(terminal)

    def assert_left(self, terminal):
        """Ends the app, and sees that the terminal and the signals are the program's own again."""
        terminal.type("q")
        terminal.see("ended: ")
        self.assert_restored(terminal)
        terminal.type("a line\n")
        terminal.see("read a line")
        # The program had asked for this one to be ignored.
        terminal.signal(signal.SIGHUP)
        terminal.type("another\n")
        terminal.see("read another")
        terminal.signal(signal.SIGTERM)
        self.assertEqual(terminal.wait(), 128 + signal.SIGTERM)

    def test_a_crash_after_the_app_writes_nothing_onto_the_screen(self):
        terminal = self.start("pages")
        terminal.see_on_screen("fruit 1")
        terminal.type("q")
        terminal.see("ended: ")
        terminal.forget()
        terminal.signal(signal.SIGSEGV)
        self.assertEqual(terminal.wait(), 128 + signal.SIGSEGV)
        self.assertNotIn("\x1b", terminal.text)

    def test_a_loop_of_its_own_reads_keys_sizes_and_signals(self):
        for end in ("q", signal.SIGTERM):
            with self.subTest(end):
                terminal = self.start("loop")
                terminal.see_on_screen("no key, 80 by 24")
                terminal.type("\x1b[5~")
                terminal.see_on_screen("PgUp, 80 by 24")
                terminal.resize(10, 40)
                terminal.see_on_screen("PgUp, 40 by 10")
                if end == "q":
                    terminal.type("q")
                else:
                    terminal.signal(end)
                terminal.see("ended after PgUp")
                self.assert_restored(terminal)
                terminal.type("a line\n")
                terminal.see("read a line")
                terminal.signal(signal.SIGTERM)
                self.assertEqual(terminal.wait(), 128 + signal.SIGTERM)


if __name__ == "__main__":
    unittest.main()
