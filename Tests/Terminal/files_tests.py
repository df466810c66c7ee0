"""A directory and the processes as outlines on a real terminal."""

import os
import tempfile
import unittest

from pseudo_terminal import Terminal, TerminalTestCase


class FilesTests(TerminalTestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(os.path.join(self.folder, "sources", "app"))
        self.write("readme", 3)
        self.write("sources/app/main", 1000)

    def write(self, name, size):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write("x" * size)

    def test_a_directory_is_expanded_and_followed(self):
        terminal = Terminal("files", self.folder)
        terminal.see_on_screen("1000  ▸ sources/")
        self.assertNotIn("app", terminal.screen.line(4))
        # A key acts on the row that a person has seen: nobody reads a frame before its writer knows that it is written.
        terminal.read_while_quiet_for(0.05)
        terminal.type("jj\x1b[C")
        terminal.see_on_screen("1000  │ ▸ app/")
        terminal.read_while_quiet_for(0.05)
        terminal.type("j\x1b[C")
        terminal.see_on_screen("1000  │ │   main")
        self.write("sources/app/keys", 24)
        terminal.see_on_screen("1024  ▾ sources/")
        terminal.see_on_screen("24  │ │   keys")
        os.remove(os.path.join(self.folder, "sources/app/main"))
        terminal.see_on_screen("24  ▾ sources/")
        # Names of files reach the terminal neutralised.
        self.write("\x1b[2J\x1b]0;title\x07", 5)
        terminal.see_on_screen("5    ␛[2J␛]0;title␇")
        self.assertEqual(terminal.quit(), 0)
        self.assert_restored(terminal)

    def test_a_directory_that_goes_is_told(self):
        inner = os.path.join(self.folder, "sources")
        terminal = Terminal("files", inner)
        terminal.see_on_screen("▸ app/")
        os.rename(inner, inner + "2")
        terminal.see_on_screen("No such file or directory, retrying")
        os.rename(inner + "2", inner)
        terminal.see_on_screen("▸ app/")
        self.assertEqual(terminal.quit(), 0)

    def test_processes_are_a_tree(self):
        terminal = Terminal("ps", "--tree", "--speed", "10", size=(60, 100))
        terminal.type("/demo")
        # Ancestors of what is found stay.
        terminal.see_on_screen("│   demo")
        terminal.type("\r")
        self.assertEqual(terminal.quit(), 0)


if __name__ == "__main__":
    unittest.main()
