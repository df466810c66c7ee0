"""A program in a pseudo-terminal of its own, and what its screen looks like."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unicodedata
import unittest

DEMO = os.path.abspath(os.environ.get("DEMO", ".build/debug/demo"))

# Every sequence that the program itself writes; anything else that starts with ESC came from outside.
OWN = re.compile(
    r"\x1b\[(?:\?(?:1049|25|7|2004|2026|2027|2031|2048|1000|1006)[hl]|\?\d+\$p|\?u|>5u|=5;1u|<u|2J|K|\d+;\d+H|\d+G|\d+(?:;\d+)*m|c)"
    r"|\x1b\]11;\?\x07"
)
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
TAKE = b"\x1b[?1049h"
LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?1049l"
QUESTION = re.compile(r"\x1b\[\?(\d+)\$p|\x1b\[\?u|\x1b\]11;\?\x07|\x1b\[c")


class Terminal:
    """A program in a pseudo-terminal.

    With `data` the standard input is a pipe, as in `program | demo`, and keys come from the terminal all the same. It answers
    questions by their texts, as `ANSWERS` says: what every terminal does (DA1), and that it has synchronized output. Without
    `answers` a test does that itself.
    """

    ANSWERS = {"\x1b[?2026$p": "\x1b[?2026;2$y", "\x1b[c": "\x1b[?62;22c"}

    def __init__(self, *arguments, shell=None, size=(24, 80), environment=None, data=False, answers=True):
        self.answers = self.ANSWERS if answers is True else answers or {}
        self.asked, self.has_synchronized = "", False
        self.master, self.slave = pty.openpty()
        self.lines, self.columns = size
        self.resize(*size, notify=False)
        self.modes = termios.tcgetattr(self.slave)
        self.output = b""
        reader, self.writer = os.pipe() if data else (None, None)
        command = ["/bin/bash", "-c", shell] if shell else [DEMO, *arguments]
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for descriptor in range(3):
                os.dup2(self.slave, descriptor)
            if data:
                os.dup2(reader, 0)
            os.closerange(3, 64)
            # As from a shell at a terminal, also where the tests run in the background of a script. Python ignores the last two.
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)
            variables = {**os.environ, "TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no", "DEMO": DEMO}
            for name in ("NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "COLORFGBG"):
                variables.pop(name, None)
            variables.update(environment or {})
            os.execve(command[0], command, variables)
        if data:
            os.close(reader)

    # What goes in

    def feed(self, *lines):
        """Writes lines to the standard input, which is a pipe."""
        os.write(self.writer, "".join(line + "\n" for line in lines).encode())

    def end_input(self):
        os.close(self.writer)
        self.writer = None

    def type(self, keys):
        os.write(self.master, keys if isinstance(keys, bytes) else keys.encode())

    def signal(self, number):
        os.kill(self.pid, number)

    def resize(self, lines, columns, notify=True):
        if (lines, columns) != (0, 0):
            self.lines, self.columns = lines, columns
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        if notify:
            self.signal(signal.SIGWINCH)

    # What comes out

    @property
    def text(self):
        return self.output.decode("utf-8", "replace")

    @property
    def screen(self):
        return VirtualScreen(self.lines, self.columns).show(self.text)

    def read(self, seconds):
        """Takes what the program writes, waiting for it no longer than this. Returns whether there was anything."""
        if not select.select([self.master], [], [], max(0, seconds))[0]:
            return False
        try:
            piece = os.read(self.master, 65536)
        except OSError:
            return False
        self.output += piece
        taken, begun = self.output.rfind(TAKE), self.output.rfind(BEGIN.encode())
        if max(taken, begun) >= 0:
            self.has_synchronized = begun > taken
        # A question may come in two pieces.
        self.asked += piece.decode("utf-8", "replace")
        answers = "".join(self.answers.get(match.group(), "") for match in QUESTION.finditer(self.asked))
        self.asked = QUESTION.sub("", self.asked)[-10:]
        if answers:
            self.type(answers)
        return bool(piece)

    def read_until(self, condition, seconds=60):
        """Collects output until a condition holds for it."""
        end = time.monotonic() + seconds
        while not condition(self.text):
            if time.monotonic() > end or not self.read(end - time.monotonic()):
                raise AssertionError(f"waited in vain; the screen is\n{self.screen}\nof {self.text[-500:]!r}")
        return self.text

    def see(self, words):
        return self.read_until(lambda text: words in text)

    def see_on_screen(self, words):
        self.read_until(lambda text: self.has_whole_frames and words in str(self.screen))
        return self.screen

    def read_while_quiet_for(self, seconds):
        """Collects output until there was none for some time."""
        while self.read(seconds):
            pass

    def pause(self, seconds):
        """Lets the program work for some time, without reading what it writes."""
        select.select([], [], [], seconds)

    @property
    def has_whole_frames(self):
        """True unless a frame is being written. The first ones of each app that takes the screen have no marks, as the terminal
        has not said yet that it knows them."""
        return self.text.endswith(END) or not self.has_synchronized

    def forget(self):
        self.output = b""

    @property
    def frames(self):
        """The frames that were drawn, without the sequences around them."""
        return re.findall(re.escape(BEGIN) + "(.*?)" + re.escape(END), self.text, re.DOTALL)

    # How it ends

    def wait(self, seconds=60):
        """The exit code, as a shell would say it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.02)
            pid, status, self.usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.read_while_quiet_for(0.05)
                if self.writer is not None:
                    self.end_input()
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"did not end; the output is {self.text[-2000:]!r}")

    def wait_unread(self, seconds):
        """The exit code of a program whose output nobody reads."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status, self.usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            self.pause(0.02)
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError("did not end")

    def quit(self):
        self.type("q")
        return self.wait()


class VirtualScreen:
    """What a terminal shows of the program's own sequences.

    Text goes where the cursor is, and stops at the last column, as autowrap is off.
    """

    def __init__(self, lines, columns):
        self.lines, self.columns = lines, columns
        self.cells = {}
        self.row = self.column = 0

    @staticmethod
    def usual_width(character):
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            return 0
        return 2 if unicodedata.east_asian_width(character) in "WF" else 1

    def show(self, text):
        position = 0
        for match in OWN.finditer(text):
            self.put(text[position : match.start()])
            position = match.end()
            sequence = match.group()
            if sequence in ("\x1b[2J", "\x1b[?1049h"):
                self.cells = {}
            elif sequence == "\x1b[K":
                self.erase()
            elif sequence.endswith("G"):
                self.column = int(sequence[2:-1]) - 1
            elif sequence.endswith("H"):
                self.row, self.column = (int(number) - 1 for number in sequence[2:-1].split(";"))
        self.put(text[position:])
        return self

    def put(self, text):
        for character in text:
            if character == "\n":
                self.row += 1
            elif character == "\r":
                self.column = 0
            else:
                width = self.usual_width(character)
                if width == 0:
                    at = (self.row, max(0, self.column - 1))
                    self.cells[at] = self.cells.get(at, "") + character
                    continue
                self.cells[self.row, min(self.column, self.columns - 1)] = character
                for beside in range(1, width):
                    self.cells[self.row, min(self.column + beside, self.columns - 1)] = ""
                self.column = min(self.column + width, self.columns)

    def erase(self):
        # A cursor behind the last column stands on it.
        for column in range(min(self.column, self.columns - 1), self.columns):
            self.cells.pop((self.row, column), None)

    def line(self, row):
        return "".join(self.cells.get((row, column), " ") for column in range(self.columns)).rstrip()

    def __str__(self):
        return "\n".join(self.line(row) for row in range(self.lines))

    def __contains__(self, words):
        return words in str(self)


class TerminalTestCase(unittest.TestCase):
    def assert_restored(self, terminal):
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.modes, "terminal modes")
        modes = (("[?1049h", "[?1049l"), ("[?25l", "[?25h"), ("[?7l", "[?7h"), ("[?2004h", "[?2004l"), ("[?1000h", "[?1000l"))
        for on, off in modes:
            self.assertGreater(terminal.text.rfind(off), terminal.text.rfind(on), f"{off} after {on}")
        self.assertGreater(terminal.text.rfind("\x1b[0m"), terminal.text.rfind("m", 0, terminal.text.rfind("\x1b[0m") - 3))

    def assert_ends(self, terminal, code=0):
        self.assertEqual(terminal.wait(), code)
        self.assert_restored(terminal)

    def assert_quits(self, terminal):
        terminal.type("q")
        self.assert_ends(terminal)

    def start_feed(self, *arguments, **options):
        terminal = Terminal("feed", "--speed", "0.2", *arguments, **options)
        terminal.see("rowcast feed")
        return terminal

    def start_stdin(self, *lines, arguments=(), **options):
        terminal = Terminal("stdin", *arguments, data=True, **options)
        if lines:
            terminal.feed(*lines)
        return terminal


def upsert(identity, title, section="s", **fields):
    """A line for `demo stdin`; the texts are put into it as they are, JSON escapes and all."""
    more = "".join(f',"{key}":"{value}"' for key, value in fields.items())
    return f'{{"op":"upsert","id":"{identity}","section":"{section}","title":"{title}"{more}}}'
