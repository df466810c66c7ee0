"""Text from outside cannot act on the terminal."""

import json
import os
import subprocess
import tempfile
import unittest

from pseudo_terminal import DEMO, OWN, Terminal, TerminalTestCase, upsert

# What would act on a terminal, or on the reading order: C0 but for what the terminal itself makes of a line end, DEL, C1,
# bidirectional controls, line and paragraph separators.
ACTING = "[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
SEQUENCES = [
    "\x1b[2J", "\x1b[31m", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x07", "\x1b[?1049l", "\x1b[8;1;1t", "\x1bP+q\x1b\\", "\x1bc",
    "\x9b31m", "\x9d0;x\x9c", "\r\n\n\n", "\x1b[6n", "\x1b[1;1Howned", "\x1b[?2026l", "\u202etxt.exe", "\u2066\u2069",
]


def escaped(text):
    return json.dumps(text)[1:-1]


class TextTests(TerminalTestCase):
    def assert_harmless(self, text):
        self.assertNotRegex(OWN.sub("", text), ACTING)

    def test_hostile_text_stays_on_its_line(self):
        controls = [chr(code) for code in [*range(0x20), *range(0x7F, 0xA0)]]
        bidi = [chr(code) for code in [0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF]]
        for group in (controls, bidi, SEQUENCES):
            everything = escaped("".join(group))
            terminal = self.start_stdin(
                upsert("above", "above"),
                upsert(everything, f"a{everything}b", subtitle=f"c{everything}d", kind=everything),
                upsert("below", "below"),
                upsert("other", everything, section=everything),
                size=(24, 200),
            )
            screen = terminal.see_on_screen("4 rows")
            self.assertRegex(str(screen), r"(?m)^  [+ ] above +│.*\n  [+ ] a.*\n  [+ ] below +│")
            terminal.type("jjj\r")
            terminal.see_on_screen("▸*")
            self.assertEqual(terminal.quit(), 0)
            self.assert_harmless(terminal.text)
            self.assert_restored(terminal)

    def test_each_sequence_is_plain_text_in_every_mode(self):
        for mode in ("--tty", "--log", "--json"):
            lines = [upsert(f"r{n}", escaped(text), subtitle=escaped(text)) for n, text in enumerate(SEQUENCES)]
            bad = ['{"op":"delete","id":"%s"}' % escaped(text) for text in SEQUENCES] + SEQUENCES
            terminal = self.start_stdin(*lines, *bad, arguments=(mode,))
            terminal.end_input()
            self.assertEqual(terminal.wait(), 0)
            self.assert_harmless(terminal.text)
            if mode != "--tty":
                self.assertNotIn("\x1b", terminal.text)

    def test_what_is_typed_at_the_command_line_is_harmless_too(self):
        hostile = "".join(SEQUENCES).replace("\0", "")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "\x1b[31m\u202e.jsonl")
            with open(path, "w") as file:
                file.write("no json\n")
            for arguments in ([hostile], ["--" + hostile], ["feed", "--seed", hostile], ["replay", path], ["replay", path + "x"]):
                result = subprocess.run([DEMO, *arguments], capture_output=True, text=True, timeout=20)
                self.assertIn(result.returncode, (1, 2))
                self.assertNotRegex(result.stderr, ACTING)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_titles_of_a_megabyte(self):
        for unit in ("x", "日", "e\u0301", "\u0301", "👩‍👩‍👧‍👦", "\u202e"):
            with self.subTest(unit):
                title = unit * (1_000_000 // len(unit.encode()))
                terminal = Terminal("stdin", data=True)
                os.set_blocking(terminal.writer, True)
                terminal.see_on_screen("(empty list)")
                self.write_all(terminal, upsert("big", title, subtitle="small"), upsert("next", "next"))
                screen = terminal.see_on_screen("next")
                self.assertLessEqual(len(str(screen).split("\n")), 24)
                self.assertLess(len(terminal.output), 100_000)
                self.assertEqual(terminal.quit(), 0)
                self.assert_restored(terminal)

    def write_all(self, terminal, *lines):
        data = "".join(line + "\n" for line in lines).encode()
        while data:
            data = data[os.write(terminal.writer, data[:60_000]) :]
            terminal.read(0)

    def test_lone_surrogates_and_bytes_that_are_no_text(self):
        terminal = self.start_stdin(
            upsert("a", "good"), upsert("b", r"\ud800 lone"), upsert("c", r"\udc00\ud800"), upsert("d", r"\ud83d\ude80 pair")
        )
        os.write(terminal.writer, b'{"op":"upsert","id":"e","section":"s","title":"\xff\xfe\x80"}\n')
        terminal.feed(upsert("f", r"nul \u0000 esc \u001b[31m"), upsert("g", "after"))
        screen = terminal.see_on_screen("after")
        self.assertIn("🚀 pair", screen)
        self.assertIn("nul ␀ esc ␛[31m", screen)
        self.assertEqual(terminal.quit(), 0)
        self.assert_harmless(terminal.text)
        self.assertIn("line 5: the line is not valid UTF-8", terminal.text)

    def test_text_is_cut_between_characters(self):
        terminal = self.start_stdin(upsert("a", "日本語日本語日本語"), upsert("b", "👩‍👩‍👧‍👦" * 20), size=(6, 12))
        screen = terminal.see_on_screen("日本語…")
        self.assertEqual(screen.line(2), "    日本語…")
        self.assertEqual(terminal.quit(), 0)


if __name__ == "__main__":
    unittest.main()
