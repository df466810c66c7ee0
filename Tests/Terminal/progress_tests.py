"""How far a long reading is, on a terminal that has a line to say it."""

import os
import re
import subprocess
import tempfile
import unittest

from pseudo_terminal import DEMO, Terminal, TerminalTestCase

INITIAL = '{"v":1,"kind":"initial","revision":0,"sections":[{"id":"s","title":"s","rows":[{"id":"r","title":"0","kind":"text"}]}]}'
NOTHING = '"deletes":[],"inserts":[],"moves":[]'


def message(revision):
    """A change of the one row."""
    update = f'{{"from":[0,0],"to":[0,0],"row":{{"id":"r","title":"{revision}","kind":"text"}}}}'
    return (
        f'{{"v":1,"kind":"changes","previous":{revision - 1},"revision":{revision},'
        f'"sections":{{{NOTHING},"updates":[]}},"rows":{{{NOTHING},"updates":[{update}]}}}}'
    )


class ProgressTests(TerminalTestCase):
    def feed_until(self, terminal, words):
        """Feeds a recording, message by message, until the terminal says something. Returns the last revision."""
        terminal.feed(INITIAL)
        for revision in range(1, 1_000):
            terminal.feed(message(revision))
            terminal.read(0.02)
            if words in terminal.text:
                return revision
        self.fail(f"never said {words!r}, but {terminal.text!r}")

    def test_a_long_reading_says_how_far_it_is_and_leaves_the_line_as_it_was(self):
        for arguments in ("--log", "--json"):
            terminal = Terminal(shell=f"exec {DEMO} replay - {arguments} >/dev/null", data=True)
            revision = self.feed_until(terminal, "demo: reading standard input: ")
            # A second report takes the place of the first one.
            while terminal.text.count("reading") < 2:
                revision += 1
                terminal.feed(message(revision))
                terminal.read(0.02)
            terminal.end_input()
            self.assertEqual(terminal.wait(), 0)
            self.assertRegex(terminal.text, r"^(\rdemo: reading standard input: \d+ lines)+\r +\r$")
            self.assertEqual(str(terminal.screen).strip(), "")

    def test_a_message_takes_the_place_of_the_progress(self):
        terminal = Terminal(shell=f"exec {DEMO} replay - --log >/dev/null", data=True)
        self.feed_until(terminal, "reading")
        terminal.feed("no message")
        self.assertEqual(terminal.wait(), 1)
        self.assertRegex(
            str(terminal.screen).strip(),
            "^demo: standard input is no recording that can be shown: line [0-9]+: no JSON")

    def test_a_page_is_read_with_its_share(self):
        with tempfile.TemporaryDirectory() as folder:
            recording = os.path.join(folder, "long.jsonl")
            with open(recording, "w") as file:
                file.write(INITIAL + "\n")
                file.writelines(message(revision) + "\n" for revision in range(1, 200_000))
            terminal = Terminal("replay", recording, "--html", os.path.join(folder, "page.html"), "--max-updates", "1000000")
            terminal.read_until(lambda text: re.search(r"reading long.jsonl: \d+ %", text))
            terminal.signal(15)
            terminal.wait()

    def test_nothing_is_said_where_it_would_not_be_alone_or_not_seen(self):
        for redirection in ("2>errors", ">/dev/null 2>errors", ""):
            with tempfile.TemporaryDirectory() as folder:
                terminal = Terminal(shell=f"cd {folder}; {DEMO} replay - --log {redirection}", data=True)
                terminal.feed(INITIAL)
                revision = 0
                for revision in range(1, 75):
                    terminal.feed(message(revision))
                    terminal.read(0.02)
                terminal.end_input()
                self.assertEqual(terminal.wait(), 0)
                errors = os.path.join(folder, "errors")
                if os.path.exists(errors):
                    with open(errors) as file:
                        self.assertEqual(file.read(), "")
                self.assertNotIn("reading", terminal.text)
        result = subprocess.run(
            [DEMO, "replay", "-", "--quiet"], input=INITIAL + "\n", capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
