"""What a reader of the tutorial does, to the letter: from an empty folder, its package, each step tried in *main.swift*, the app in a
terminal, the tests, and the page in a browser.

    python3 Tests/Documentation/tutorial.py FOLDER

FOLDER is empty, or the one in which `stranger.py` has been. The commands and files are those of the page; that of a step is made as its
first step says, and must print what the page prints.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

from pages import CATALOG, ROOT, programs, read
from stranger import check_tests, run, write

sys.path += [os.path.join(ROOT, "Tests", name) for name in ("Terminal", "Page")]
import browser  # noqa: E402
from pseudo_terminal import Terminal  # noqa: E402

PAGE = os.path.join(CATALOG, "FirstLiveList.md")
MAIN = "Sources/board/main.swift"
# The page says so of the steps before that of the tests.
EXPECTED = re.compile(r"warning: '\w+': Source files for target boardTests should be located under .*")


class Tutorial:
    def __init__(self, folder):
        text = read(PAGE)
        self.commands = re.findall(r"^    (\w.*)$", text, re.MULTILINE)
        self.steps = [(match.start(), int(match[1])) for match in re.finditer(r"^### Step (\d+):", text, re.MULTILINE)]
        self.lines = [text.count("\n", 0, start) + 1 for start, _ in self.steps]
        self.blocks = sorted(
            (block for program in programs(PAGE) for block in program.blocks if block.number), key=lambda block: block.line)
        clone = os.path.join(folder, "rowcast")
        if not os.path.lexists(clone):
            os.symlink(ROOT, clone)
        (made,) = [command for command in self.commands if command.startswith("mkdir ")]
        self.home = os.path.join(folder, "board")
        built = os.path.join(folder, "built")
        # What stranger.py has built of the rooms in the same place is not compiled again.
        if os.path.exists(self.home):
            os.rename(os.path.join(self.home, ".build"), built)
            shutil.rmtree(self.home)
        subprocess.run(["bash", "-c", made], cwd=folder, check=True)
        if os.path.exists(built):
            os.rename(built, os.path.join(self.home, ".build"))

    def step(self, block):
        return sum(line <= block.line for line in self.lines)

    def of(self, step, **wanted):
        """The blocks of a step: its types, or those that `wanted` asks for."""
        wanted = {"path": None, "function": None, **wanted}
        return [
            block for block in self.blocks if self.step(block) == step and "import Testing" not in block.text
            and all(bool(getattr(block, name)) == bool(value) for name, value in wanted.items())]

    def write_files(self, step):
        write(self.home, {block.path: block for block in self.of(step, path=True)})

    def try_step(self, step):
        """The types of the steps so far and the statements of this one are *main.swift*, which prints what the page says."""
        types = [block.text for earlier in range(1, step + 1) for block in self.of(earlier)]
        statements = self.of(step, function=True)
        write(self.home, {MAIN: "\n".join([*types, *(block.text for block in statements)])})
        # A step takes a second. SwiftPM takes files of one second for the same, which nobody who types can meet.
        later = time.time() + 2 * step
        os.utime(os.path.join(self.home, MAIN), (later, later))
        printed = self.run("swift", "run").strip()
        expected = "\n".join(block.prints for block in statements if block.prints).strip()
        if not expected or printed != expected:
            sys.exit(f"step {step} prints\n{printed}\nand the page says\n{expected}")

    def run(self, *command):
        result = subprocess.run(
            command, cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=900)
        if result.returncode or "warning:" in EXPECTED.sub("", result.stderr):
            sys.exit(f"{' '.join(command)}:\n{result.stdout}{result.stderr}")
        return result.stdout

    def use(self):
        """The app on a terminal: a search, and its end."""
        app = Terminal(shell=f"cd '{self.home}' && exec .build/debug/board", size=(24, 80))
        app.see_on_screen("Platform")
        app.type("/no such place")
        app.see_on_screen("search: no such place")
        app.read_until(lambda text: app.has_whole_frames and "Platform" not in str(app.screen))
        app.type("\x1b")
        app.see_on_screen("Platform")
        if app.quit():
            sys.exit("the app does not end with 0")

    def check_log(self):
        with subprocess.Popen(
            ["swift", "run", "--skip-build"], cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True,
        ) as log:
            found = any("Platform" in line for line in log.stdout)
            os.killpg(log.pid, signal.SIGTERM)
        if not found:
            sys.exit("piped, the app writes no log")

    def write_tests(self):
        """The types that the step names, and the tests below them."""
        (tests,) = [block for block in self.blocks if "import Testing" in block.text]
        text = read(PAGE)
        sentence = re.search(r"put (`Train`.*?) into \*(Tests/\S+)\*", text, re.DOTALL)
        names = re.findall(r"`(\w+)`", sentence[1])
        types = [
            block.text for block in self.blocks
            if not block.path and block.function is None and block is not tests
            and any(re.search(rf"\b(struct|func) {name}\b", block.text) for name in names)]
        if len(names) < 3 or not all(any(re.search(rf"\b{name}\b", text) for text in types) for name in names):
            sys.exit(f"the page has not all of {names}")
        write(self.home, {sentence[2]: "\n".join([*types, tests.text])})

    def replace_end(self, step):
        """Replaces the last line of *main.swift*."""
        (end,) = self.of(step, function=True)
        path = os.path.join(self.home, MAIN)
        lines = read(path).rstrip("\n").split("\n")
        write(self.home, {MAIN: "\n".join([*lines[:-1], end.text])})

    def browse(self):
        """The pipe of the page, whose server is found at any port that is free; a browser sees the board."""
        (pipe,) = [command for command in self.commands if "demo serve" in command]
        with subprocess.Popen(
            ["bash", "-c", pipe + " --port 0"], cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True,
        ) as programs:
            try:
                address = next((line.strip() for line in programs.stdout if line.startswith("http")), None)
                if not address:
                    sys.exit(f"{pipe} serves nothing")
                if browser.executable():
                    window = browser.Browser()
                    page = browser.Page(window, address)
                    page.wait_for("document.querySelector('#list h2')?.textContent.startsWith('Platform')")
                    # Most rows change each second, so some messages are whole lists, which are shorter then.
                    page.wait_for("Number(wholes.textContent) + Number(differences.textContent) > 2")
                    window.close()
                else:
                    with urllib.request.urlopen(address + "/list") as events:
                        next(line for line in events if b"Platform" in line)
            finally:
                os.killpg(programs.pid, signal.SIGTERM)


def check(folder):
    began = time.monotonic()
    tutorial = Tutorial(folder)
    if [number for _, number in tutorial.steps] != list(range(1, 11)):
        sys.exit(f"the steps are {tutorial.steps}")
    tutorial.write_files(1)

    def told(words):
        print(f"tutorial: {words}: {time.monotonic() - began:.0f} s so far", flush=True)

    for step in range(3, 8):
        tutorial.try_step(step)
        told(f"step {step}")
    tutorial.write_files(8)
    tutorial.run("swift", "build")
    tutorial.check_log()
    tutorial.use()
    told("the app in a terminal")
    tutorial.write_tests()
    check_tests(tutorial.home)
    told("the tests")
    tutorial.write_files(10)
    tutorial.replace_end(10)
    run(tutorial.home, "swift", "build")
    tutorial.use()
    tutorial.browse()
    told("the browser" if browser.executable() else "the browser's list (NO BROWSER is here)")


if __name__ == "__main__":
    check(os.path.realpath(sys.argv[1]))
