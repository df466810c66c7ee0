"""Compiles programs as users write them, wrong ones and right ones, against what was built.

    python3 Tests/Mistakes/mistakes.py FOLDER [FILE …]

FOLDER holds what was built, as `swift build --show-bin-path` prints it. `Prelude.swift` is part of every program. Lines that begin
with `//:` divide a file into programs, and name them; what stands before the first is part of each. `//: top level:` names one that
is the main file of an executable.

`wrong` has programs with one mistake each. The compiler must report errors on the lines that end in `// error: PATTERN`, or
follow a line that is this comment, with a message that the pattern is found in, and on no other line. It must do so in time, and without a crash. `// note: PATTERN` stands
where overloads leave it to the notes of an error to say so.

`right` has programs that must compile without a warning; `//: runs:` names one that must also end well when it is run. The
parts of `calls.swift` are statements: each must compile in a method on the main actor, in one of another actor, in a task that
no actor starts, and at top level.
"""

import concurrent.futures
import dataclasses
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Documentation"))
from examples import Builder  # noqa: E402
from pages import ROOT  # noqa: E402

PATIENCE = 10
MARKER = re.compile(r"^//: (?:(top level|runs): )?(.*)$")
EXPECTED = re.compile(r"^(.*)// (error|note): (.*)$")
FOUND = re.compile(r"^(.*?):(\d+):\d+: (error|warning|note): (.*)$", re.MULTILINE)
PRELUDE = os.path.join(HERE, "Prelude.swift")

# How the statements of a part of `calls.swift` become code, by where they stand.
CONTEXTS = {
    "main actor": "extension Screen { func call%d(text: String, levels: [Level]) async throws {\n%s\n} }",
    "actor": "extension Clerk { func call%d(text: String, levels: [Level]) async throws {\n%s\n} }",
    "task": "func call%d(shop: Shop, text: String, levels: [Level]) { Task {\n%s\n} }",
    "top level": "func call%d() {}\ndo {\n%s\n}",
}
TOP_LEVEL = """let shop = try Shop()
let text = "tea"
let levels = [Level.low]
extension Shop { func ready() -> Shop { self } }
"""


@dataclasses.dataclass
class Program:
    """A program, or the statements of a part."""

    file: str
    name: str
    kind: str | None  # "top level", "runs", or none
    line: int  # The first line of its text, from 1.
    text: str
    shared: str  # The lines that all programs of the file begin with.

    @property
    def title(self):
        return f"{os.path.relpath(self.file, ROOT)}:{self.line - 1}: {self.name}"

    @property
    def source(self):
        """Its lines have the numbers that they have in the corpus."""
        shared = self.shared.splitlines()
        return "\n".join([*shared, *[""] * (self.line - 1 - len(shared)), self.text])


def programs(path):
    lines = open(path, encoding="utf-8").read().splitlines()
    starts = [index for index, line in enumerate(lines) if MARKER.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        kind, name = MARKER.match(lines[start]).groups()
        yield Program(path, name, kind, start + 2, "\n".join(lines[start + 1:end]), "\n".join(lines[:starts[0]]))


class Corpus:
    def __init__(self, products, folder):
        self.builder = Builder(os.path.realpath(products), folder)
        self.folder = folder
        self.failures = []
        self.passed = 0
        self.slowest = (0, "nothing")
        self.count = 0

    def compile(self, title, source, is_main, output=None):
        """The lines with errors and warnings in a file, each with its message, and what is wrong besides."""
        self.count += 1
        folder = os.path.join(self.folder, str(self.count))
        os.makedirs(folder)
        path = os.path.join(folder, "main.swift" if is_main else "program.swift")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        products = ["-c", "-o", output] if output else ["-emit-sil", "-o", os.devnull]
        command = [
            "swiftc", "-swift-version", "6", "-wmo", "-Onone", *([] if is_main else ["-parse-as-library"]), "-module-name", "App",
            *self.builder.imports, "-I", self.builder.modules, *products, PRELUDE, path]
        began = time.monotonic()
        try:
            result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=6 * PATIENCE, cwd=ROOT)
        except subprocess.TimeoutExpired:
            return [], [f"the compiler takes over {6 * PATIENCE} s"]
        seconds = time.monotonic() - began
        self.slowest = max(self.slowest, (seconds, title))
        text = result.stdout + result.stderr
        found, besides = [], []
        for place, line, kind, message in FOUND.findall(text):
            if kind == "note":
                # It says more about the message before it.
                found += [(found[-1][0], kind, message)] if found else []
            elif place == path:
                found.append((int(line), kind, message))
            else:
                besides.append(f"{place}:{line}: {message}")
        if "Stack dump" in text or result.returncode < 0 or result.returncode > 1:
            besides.append("the compiler crashes:\n" + "\n".join(text.splitlines()[:4]))
        if "in reasonable time" in text or seconds > PATIENCE:
            besides.append(f"the compiler takes {seconds:.0f} s")
        if result.returncode and not found and not besides:
            besides.append(text)
        return found, besides

    def wrong(self, program):
        found, problems = self.compile(program.title, program.source, program.kind == "top level")
        expected = {
            number + (not match[1].strip()): (match[2], match[3])
            for number, line in enumerate(program.source.splitlines(), 1) if (match := EXPECTED.match(line))}
        errors = [(line, message) for line, kind, message in found if kind == "error"]
        if not expected:
            problems.append("no line says which error is expected")
        if not errors and not problems:
            problems.append("it compiles")
        problems += [f"line {line}: an error that is not expected: {text}" for line, text in errors if line not in expected]
        for line, (kind, pattern) in expected.items():
            messages = [text for at, of, text in found if at == line and of in ("error", kind)]
            if errors and not any(re.search(pattern, text) for text in messages):
                problems.append(f"line {line}: no {kind} with “{pattern}” but {messages or 'none'}")
        return problems

    def right(self, program):
        is_main = program.kind == "top level" or (program.kind == "runs" and "@main" not in program.text)
        output = os.path.join(self.folder, f"{program.line}.o") if program.kind == "runs" else None
        found, problems = self.compile(program.title, program.source, is_main, output)
        problems += [f"line {line}: {message}" for line, kind, message in found if kind != "note"]
        if output and not problems:
            binary = output + "ut"
            subprocess.run(["swiftc", output, *self.builder.objects, "-o", binary], check=True, capture_output=True)
            result = subprocess.run([binary], capture_output=True, text=True, timeout=6 * PATIENCE)
            if result.returncode:
                problems.append(f"it ends with {result.returncode}:\n{result.stdout}{result.stderr}")
        return problems

    def calls(self, context, parts):
        """Compiles all parts as one program; the compiler is told where each stands."""
        source = parts[0].shared + "\n" + (TOP_LEVEL if context == "top level" else "")
        for part in parts:
            place = f'#sourceLocation(file: "{part.file}", line: {part.line})'
            source += CONTEXTS[context] % (part.line, f"{place}\n{part.text}\n#sourceLocation()") + "\n"
        found, problems = self.compile(f"{parts[0].file} {context}", source, context == "top level")
        return problems + [message for _, kind, message in found if kind != "note"]

    def check(self, title, test, *arguments):
        problems = test(*arguments)
        if problems:
            self.failures.append(title)
            print(f"✘ {title}\n    " + "\n    ".join(line for problem in problems for line in problem.splitlines()), flush=True)
        else:
            self.passed += 1


def main(products, paths):
    began = time.monotonic()
    paths = paths or sorted(glob.glob(os.path.join(HERE, "wrong/*.swift")) + glob.glob(os.path.join(HERE, "right/*.swift")))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        corpus = Corpus(products, folder)
        checks = []
        for path in map(os.path.realpath, paths):
            found = list(programs(path))
            if os.path.basename(path) == "calls.swift":
                checks += [
                    pool.submit(corpus.check, f"{os.path.relpath(path, ROOT)}: {context}", corpus.calls, context, found)
                    for context in CONTEXTS]
                continue
            test = corpus.wrong if os.path.basename(os.path.dirname(path)) == "wrong" else corpus.right
            checks += [pool.submit(corpus.check, program.title, test, program) for program in found]
        for made in checks:
            made.result()
    print(f"slowest: {corpus.slowest[0]:.1f} s, {corpus.slowest[1]}; all of them in {time.monotonic() - began:.0f} s")
    print(f"{corpus.passed} passed, {len(corpus.failures)} failed")
    return not corpus.failures


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1], sys.argv[2:]) else 1)
