"""Hard texts keep their columns in terminals of others: tmux and xterm, where they are there, say where text stands."""

import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from pseudo_terminal import TerminalTestCase, upsert

CORPUS = [
    "plain", "naïve café", "e\u0301\u0301\u0301 stacked", "日本語テキスト", "한국어 조합", "\u1112\u1161\u11ab jamo", "中文，全角。",
    "👩\u200d👩\u200d👧\u200d👦 family", "👍🏽 skin", "☂\ufe0f ❤\ufe0f VS16", "☂\ufe0e VS15", "🇫🇷🇩🇪 flags", "1\ufe0f\u20e3 keycap",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "שלום עולם", "العربية مرحبا", "السَّلَامُ", "नमस्ते क्षत्रिय",
    "ภาษาไทย น้ำ", "தமிழ் நிலா", "မြန်မာ", "ខ្មែរ", "한글", "ｶﾀｶﾅ half", "ＦＵＬＬ", "…–—·×", "½ ⅓ ²", "αβγ Ωmega",
    "→ ↑ ⇒ ■ ● ▲", "─│┌┐└┘", "█▓▒░", "zero\u200bwidth", "a\u200db joiner", "soft\u00adhyphen", "abc\u202edef", "\u0b95\u0bca", "𝒜𝓁𝑔", "🫠🪿 new",
    "👨🏿\u200d🚀 \u200d", "\ufeffbom", "क\u094d\u200dष", "\U0001f1eb lone flag", "🧑\u200d🤝\u200d🧑", "✈ ✔ ⌚ ⏰", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A",
]


class CorpusTests(TerminalTestCase):
    def drawn(self):
        """What the demo draws on each line of the corpus, up to the sign in the next column."""
        rows = [upsert(number, json.dumps(text)[1:-1], subtitle="|") for number, text in enumerate(CORPUS)]
        terminal = self.start_stdin(*rows, size=(70, 100))
        terminal.see_on_screen(f"{len(CORPUS)} rows")
        terminal.read_while_quiet_for(1.5)
        terminal.forget()
        terminal.type("\x0c")
        terminal.see("\x1b[2J")
        terminal.read_until(lambda text: text.endswith("\x1b[?2026l"))
        texts = re.findall(r"\x1b\[\d+;1H\x1b\[K((?:(?!\x1b\[\d+;1H).)*?)(?:\x1b\[2m)\|", terminal.frames[-1], re.DOTALL)
        self.assertEqual(terminal.quit(), 0)
        self.assertEqual(len(texts), len(CORPUS))
        return texts

    def columns(self, run, texts):
        """Where the cursor of a terminal is after each text."""
        with tempfile.TemporaryDirectory() as folder:
            (source, result) = (os.path.join(folder, name) for name in ("texts", "columns"))
            with open(source, "w", encoding="utf-8") as file:
                json.dump(texts, file)
            probe = os.path.join(os.path.dirname(os.path.abspath(__file__)), "width_probe.py")
            program = run([sys.executable, probe, source, result], folder)
            end = time.monotonic() + 60
            while not os.path.exists(result) and time.monotonic() < end:
                select.select([], [], [], 0.05)
            try:
                with open(result, encoding="utf-8") as file:
                    return json.load(file)
            finally:
                program.terminate()
                program.wait()

    def assert_columns(self, run):
        texts = self.drawn()
        columns = self.columns(run, texts)
        others = {text: column for text, column in zip(CORPUS, columns) if column != columns[0]}
        self.assertEqual(others, {}, f"the column of plain text is {columns[0]}")

    @unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
    def test_tmux_has_hard_texts_in_their_columns(self):
        def run(command, folder):
            socket = os.path.join(folder, "socket")
            tmux = ["tmux", "-u", "-f", "/dev/null", "-S", socket, "new-session", "-d", "-x", "100", "-y", "30", *command]
            subprocess.run(tmux, check=True, env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})
            return subprocess.Popen(["tmux", "-S", socket, "wait-for", "never"])

        self.assert_columns(run)

    @unittest.skipUnless(shutil.which("xterm") and shutil.which("xvfb-run"), "xterm or xvfb-run is not installed")
    def test_xterm_has_hard_texts_in_their_columns(self):
        def run(command, folder):
            xterm = ["xvfb-run", "-a", "xterm", "-u8", "-geometry", "100x30", "-e", *command]
            return subprocess.Popen(xterm, env={**os.environ, "LC_ALL": "C.UTF-8"}, stderr=subprocess.DEVNULL)

        self.assert_columns(run)


if __name__ == "__main__":
    unittest.main()
