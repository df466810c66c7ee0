"""The pages of the documentation and the code on them.

The code of a page is one program: its blocks stand in one file, in their order, and Tests/Documentation/PAGE.swift beside them if
there is one. Only fences of `swift` are code. Comments of the page, which no reader sees, say what to make of them:

    <!-- hidden             Lines that stand where the comment stands, at top level.
    …
    -->
    <!-- statements -->     The next block is no declaration: it is the body of a function.
    <!-- statements         The same, with lines that stand first in that function.
    …
    -->
    <!-- endless -->        As `statements`, of a function that is not called, as it waits for ever.
    <!-- continued -->      The next block goes on in the function of the block before it.
    <!-- fails WORDS -->    The tests in the next block must fail, with these words.
    <!-- file PATH -->      The next block is this file of a package of the reader's own: no part of the page's program, but one of its own.
    <!-- prints -->         The next fence, which is of `text`, is what the block or the file before it prints.
    <!-- asks -->           The lines of the next table are questions: the code of its last column is passed to the function `ask`, after
                            the text of the first.

In a comment, a line that begins with an attribute is written with a backslash: `\\@Test`. Lines that import stand first in the
file, wherever they are on the page; a page that imports no module of the package gets all of `Rowcast`. The line that imports
UIKit, AppKit or SwiftUI begins another program: there are stubs of these for the compiler alone.
"""

import dataclasses
import glob
import json
import os
import re

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
CATALOG = os.path.join(ROOT, "Sources/Rowcast/Rowcast.docc")
HELPERS = os.path.join(ROOT, "Tests/Documentation")
MARKER = re.compile(r"<!--\s*(hidden|statements|endless|continued|fails|file|prints|asks)\b[ \t]*(.*?)\s*-->[ \t]*\n?", re.DOTALL)
FENCE = re.compile(r"```(\S*)[^\n]*\n(.*?)^```[ \t]*\n?", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->[ \t]*\n?", re.DOTALL)
TABLE = re.compile(r"(?:\|[^\n]*\n)+")
CELLS = re.compile(r"(?<!\\)\|")
IMPORT = re.compile(r"^(?:@testable |public |package |internal )?import [^\n]*$", re.MULTILINE)
KIT = re.compile(r"^import (UIKit|AppKit|SwiftUI)$", re.MULTILINE)


class PageError(Exception):
    """What cannot be read as a page, and where."""


@dataclasses.dataclass
class Piece:
    """A fence or a marker of a page."""

    kind: str  # The fence's language or the marker's word.
    text: str
    line: int  # The first line of the text, from 1.


@dataclasses.dataclass
class Block:
    """Swift of a page: at top level, or in the function of this number."""

    text: str
    line: int
    function: int | None = None
    number: int | None = None  # Of the fence, from 1; none if it is hidden.
    setup: str = ""
    setup_line: int = 0
    is_endless: bool = False
    fails: str | None = None
    prints: str | None = None
    path: str | None = None  # Of a file in a package of the reader's own.


@dataclasses.dataclass
class Program:
    """Code of a page that is compiled as one module: all of its blocks, or those that are the files of a folder."""

    page: str
    kit: str | None
    blocks: list
    folder: str | None = None
    part: int = 0  # Of the page's programs for its kit, from 0.

    @property
    def name(self):
        stem = re.sub(r"\W", "", os.path.splitext(os.path.basename(self.page))[0])
        part = self.kit or "" if self.folder is None else re.sub(r"\W", "", self.folder) or "Root"
        return f"{stem}{part}{self.part or ''}Page"

    @property
    def helper(self):
        if self.kit or self.folder is not None:
            return None
        path = os.path.join(HELPERS, os.path.splitext(os.path.basename(self.page))[0] + ".swift")
        return path if os.path.exists(path) else None

    @property
    def imports(self):
        texts = [text for block in self.blocks for text in (block.setup, block.text)]
        if self.helper:
            texts.append(read(self.helper))
        found = list(dict.fromkeys(line for text in texts for line in IMPORT.findall(text)))
        return found if any("Rowcast" in line for line in found) else ["import Rowcast", *found]

    @property
    def calls(self):
        """The numbers of the functions that are called, in their order."""
        endless = {block.function for block in self.blocks if block.is_endless}
        return [number for number in dict.fromkeys(block.function for block in self.blocks) if number and number not in endless]

    @property
    def runs(self):
        """Whether the program is called, and not its tests alone."""
        return bool(self.calls) or any(block.prints is not None for block in self.blocks)

    @property
    def tests(self):
        return any(re.search(r"^import Testing$", block.text, re.MULTILINE) for block in self.blocks)


def pages():
    """The README and the catalog."""
    return [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(CATALOG, "*.md")))]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pieces(text):
    """Fences and markers, in their order. What is inside a fence is no marker."""
    position, line = 0, 1
    found = []
    while position < len(text):
        end = text.find("\n", position) + 1 or len(text)
        match = None
        if text.startswith("```", position):
            match = FENCE.match(text, position)
            if not match:
                raise PageError(f"line {line}: a fence without an end")
            found.append(Piece(match[1], match[2], line + 1))
        elif text.startswith("<!--", position):
            match = COMMENT.match(text, position)
            if not match:
                raise PageError(f"line {line}: a comment without an end")
            marker = MARKER.fullmatch(match[0])
            if marker:
                # DocC takes a line that begins with an attribute for a directive, in a comment as well.
                words = re.sub(r"^(\s*)\\@", r"\1@", marker[2], flags=re.MULTILINE)
                before = match[0][: marker.start(2)].count("\n")
                found.append(Piece(marker[1], words, line + before))
                if marker[1] == "asks":
                    table = TABLE.match(text, match.end())
                    if not table:
                        raise PageError(f"line {line}: questions without a table")
                    found[-1] = Piece("asks", table[0], line + text.count("\n", position, match.end()))
        elif re.match(r"\s+```swift", text[position:end]):
            raise PageError(f"line {line}: a fence that is indented is not compiled")
        if match:
            end = match.end()
        line += text.count("\n", position, end)
        position = end
    return found


def questions(table):
    """The lines of a table as calls, each where it stands."""
    lines = []
    for index, line in enumerate(table.text.splitlines()):
        cells = [cell.strip().replace("\\|", "|") for cell in CELLS.split(line)[1:-1]]
        code = re.fullmatch(r"`([^`]+)`", cells[-1])
        if index > 1 and not code:
            raise PageError(f"line {table.line + index}: a question without code of its own in the last column")
        lines.append(f"try await ask({json.dumps(cells[0].replace('`', ''), ensure_ascii=False)}, {code[1]})" if index > 1 else "")
    return "\n".join(lines) + "\n"


def programs(page):
    """The programs of a page, most often one."""
    found = [Program(page, None, [])]
    files = {}
    last = None
    number = functions = 0
    marker = None
    fails = None
    for piece in pieces(read(page)):
        if piece.kind == "hidden":
            found[-1].blocks.append(Block(piece.text + "\n", piece.line))
        elif piece.kind == "fails":
            fails = piece.text
        elif piece.kind == "asks":
            number += 1
            functions += 1
            found[-1].blocks.append(Block(questions(piece), piece.line, number=number, function=functions))
        elif piece.kind in ("statements", "endless", "continued", "file", "prints"):
            if marker:
                raise PageError(f"line {piece.line}: two markers and no fence between them")
            marker = piece
        elif piece.kind == "swift":
            number += 1
            kit = KIT.search(piece.text) if not marker or marker.kind != "file" else None
            if kit and kit[1] != found[-1].kit:
                found.append(Program(page, kit[1], [], part=sum(program.kit == kit[1] for program in found)))
            last = block = Block(piece.text, piece.line, number=number, fails=fails)
            if marker and marker.kind == "prints":
                raise PageError(f"line {piece.line}: what is printed is no Swift")
            if marker and marker.kind == "file":
                block.path = marker.text
                folder = os.path.dirname(marker.text)
                files.setdefault(folder, Program(page, None, [], folder)).blocks.append(block)
            else:
                if marker and marker.kind in ("statements", "endless"):
                    functions += 1
                    block.is_endless = marker.kind == "endless"
                    block.setup, block.setup_line = marker.text, marker.line
                elif marker and not functions:
                    raise PageError(f"line {piece.line}: nothing to go on with")
                block.function = functions if marker else None
                found[-1].blocks.append(block)
            marker = fails = None
        else:
            if marker and marker.kind == "prints":
                if not last or last.is_endless or not last.function and not (last.path or "").endswith("main.swift"):
                    raise PageError(f"line {piece.line}: the block before it does nothing that prints")
                last.prints = piece.text
            elif marker:
                raise PageError(f"line {piece.line}: statements that are no Swift")
            marker = None
    if marker:
        raise PageError(f"line {marker.line}: a marker without a fence")
    return [program for program in [*found, *files.values()] if any(block.number for block in program.blocks)]


def source(program):
    """The file of a program."""
    name = os.path.relpath(program.page, ROOT)

    def placed(text, line):
        # The line stays, so that lines count as on the page.
        return f'#sourceLocation(file: "{name}", line: {line})\n' + IMPORT.sub("", text)

    lines = [*program.imports]
    function = None
    for index, block in enumerate(program.blocks):
        if block.function != function and function is not None:
            lines.append("}")
        if block.function is not None:
            if block.function != function:
                lines.append(f"func block{block.function}() async throws {{")
                if block.setup:
                    lines.append(placed(block.setup, block.setup_line))
            lines.append(f'print("\\u{{1}}{block.number}")')
        function = block.function
        lines.append(placed(block.text, block.line).rstrip("\n"))
        lines.append("#sourceLocation()")
    if function is not None:
        lines.append("}")
    return "\n".join(lines) + "\n"


def file(program, block):
    """A file of a package, as it stands on the page."""
    return f'#sourceLocation(file: "{os.path.relpath(program.page, ROOT)}", line: {block.line})\n{block.text}'


def main(program):
    """The file that calls the functions of a program or, with the argument `--tests`, runs its tests."""
    body = [f"    try await block{number}()" for number in program.calls]
    imports = ["import Foundation"]
    if program.tests:
        imports.append("import Testing")
        body.insert(0, '    if CommandLine.arguments.contains("--tests") { exit(await Testing.__swiftPMEntryPoint()) }')
    return "\n".join([*imports, "@main struct Page {", "  static func main() async throws {", *body, "  }", "}"]) + "\n"
