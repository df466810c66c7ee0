"""What a person expects of `demo` in a terminal, tried in a real pseudo-terminal.

    python3 Tests/Terminal/terminal_tests.py [path of the demo executable]
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import unittest

DEMO = os.path.abspath(".build/debug/demo")
# Every sequence that the renderer itself writes; anything else that starts with ESC came from outside.
OWN = re.compile(
    r"\x1b\[(\?1049[hl]|\?25[hl]|\?7[hl]|\?2026[hl]|2J|K|\d+;\d+H|\d+(;\d+)?m)"
)


class Terminal:
    """A program in a pseudo-terminal of its own."""

    def __init__(self, *arguments, shell=None, size=(24, 80), environment=None):
        self.master, self.slave = pty.openpty()
        self.resize(*size, notify=False)
        self.modes = termios.tcgetattr(self.slave)
        self.output = b""
        command = ["/bin/sh", "-c", shell] if shell else [DEMO, *arguments]
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for descriptor in range(3):
                os.dup2(self.slave, descriptor)
            os.close(self.master)
            variables = {**os.environ, "TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"}
            for name in ("NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"):
                variables.pop(name, None)
            variables.update(environment or {})
            os.execve(command[0], command, variables)

    def read_until(self, condition, seconds=20):
        """Collects output until a condition holds for it."""
        end = time.monotonic() + seconds
        while not condition(self.text):
            left = end - time.monotonic()
            if left <= 0:
                raise AssertionError(f"waited in vain; the output is {self.output!r}")
            if select.select([self.master], [], [], left)[0]:
                try:
                    self.output += os.read(self.master, 65536)
                except OSError:
                    break
        return self.text

    @property
    def text(self):
        return self.output.decode("utf-8", "replace")

    def see(self, words):
        return self.read_until(lambda text: words in text)

    def type(self, keys):
        os.write(self.master, keys.encode())

    def signal(self, number):
        os.kill(self.pid, number)

    def resize(self, lines, columns, notify=True):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        if notify:
            self.signal(signal.SIGWINCH)

    def wait(self, seconds=20):
        """The exit code, as a shell would say it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.02)[0]:
                try:
                    self.output += os.read(self.master, 65536)
                except OSError:
                    pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while select.select([self.master], [], [], 0.1)[0]:
                    try:
                        self.output += os.read(self.master, 65536)
                    except OSError:
                        break
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"did not end; the output is {self.text[-2000:]!r}")


class ScreenTests(unittest.TestCase):
    def assert_restored(self, terminal):
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.modes, "terminal modes")
        for on, off in (("[?1049h", "[?1049l"), ("[?25l", "[?25h"), ("[?7l", "[?7h")):
            self.assertGreater(terminal.text.rfind(off), terminal.text.rfind(on), f"{off} after {on}")

    def start_feed(self, *arguments, **options):
        terminal = Terminal("feed", "--speed", "0.2", *arguments, **options)
        terminal.see("rowcast feed")
        return terminal

    def test_a_live_list_is_shown_within_a_second(self):
        start = time.monotonic()
        terminal = Terminal()
        terminal.see("Messages")
        self.assertLess(time.monotonic() - start, 1)
        terminal.type("q")
        self.assertEqual(terminal.wait(), 0)

    def test_q_ends_with_0_and_restores(self):
        terminal = self.start_feed()
        terminal.type("q")
        self.assertEqual(terminal.wait(), 0)
        self.assert_restored(terminal)
        self.assertIn("= end:", terminal.text)

    def test_signals_end_with_their_codes_and_restore(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                terminal = self.start_feed()
                terminal.signal(number)
                self.assertEqual(terminal.wait(), 128 + number)
                self.assert_restored(terminal)

    def test_control_c_is_an_interrupt(self):
        terminal = self.start_feed()
        terminal.type("\x03")
        self.assertEqual(terminal.wait(), 130)
        self.assert_restored(terminal)

    def test_a_crash_restores(self):
        for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGTRAP, signal.SIGILL):
            with self.subTest(number):
                terminal = self.start_feed()
                terminal.signal(number)
                self.assertEqual(terminal.wait(), 128 + number)
                self.assert_restored(terminal)

    def test_the_end_of_the_input_restores_and_leaves_the_list_behind(self):
        terminal = Terminal(
            shell=f"""printf '{{"op":"upsert","id":"a","section":"s","title":"last words"}}\\n' | {DEMO} stdin"""
        )
        self.assertEqual(terminal.wait(), 0)
        self.assert_restored(terminal)
        self.assertIn("last words", terminal.text[terminal.text.rfind("[?1049l"):])

    def test_suspending_gives_the_terminal_back_and_resuming_takes_it_again(self):
        terminal = self.start_feed()
        terminal.signal(signal.SIGTSTP)
        terminal.see("[?1049l")
        pid, status = os.waitpid(terminal.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status))
        self.assert_restored(terminal)
        terminal.output = b""
        terminal.signal(signal.SIGCONT)
        terminal.see("[?1049h")
        terminal.see("Messages")
        terminal.type("q")
        self.assertEqual(terminal.wait(), 0)
        self.assert_restored(terminal)

    def test_keys_come_from_the_terminal_while_data_comes_from_a_pipe(self):
        terminal = Terminal(
            shell=f"""(printf '{{"op":"upsert","id":"a","section":"s","title":"piped"}}\\n'; sleep 30) | {DEMO} stdin"""
        )
        terminal.see("piped")
        terminal.type("q")
        terminal.see("= end:")
        self.assert_restored(terminal)
        os.killpg(terminal.pid, signal.SIGKILL)
        terminal.wait()

    def test_keys_scroll(self):
        terminal = Terminal(
            shell=f"(seq 1 200 | sed 's/.*/{{\"op\":\"upsert\",\"id\":&,\"section\":\"s\",\"title\":\"line &\"}}/'; sleep 30)"
            f" | {DEMO} stdin"
        )
        terminal.see("of 201")
        terminal.type("G")
        terminal.see("line 200")
        terminal.type("g")
        terminal.output = b""
        terminal.type("j")
        terminal.see("▸")
        terminal.type("\x1b[6~")
        terminal.see("lines 15")
        terminal.see("line 28")
        terminal.type("q")
        terminal.see("= end:")
        os.killpg(terminal.pid, signal.SIGKILL)
        terminal.wait()

    def test_u_goes_back_one_update(self):
        terminal = Terminal(
            shell=f"""(printf '{{"op":"upsert","id":1,"section":"s","title":"first"}}\\n'; sleep 0.5;"""
            f""" printf '{{"op":"upsert","id":1,"title":"second"}}\\n'; sleep 30) | {DEMO} stdin --lockstep"""
        )
        terminal.see("second")
        terminal.output = b""
        terminal.type("u")
        terminal.see("first")
        terminal.output = b""
        terminal.type("u")
        terminal.see("(empty list)")
        terminal.type("u")
        terminal.type("q")
        terminal.see("= end:")
        os.killpg(terminal.pid, signal.SIGKILL)
        terminal.wait()

    def test_absurd_sizes_never_crash_and_nothing_is_drawn_outside(self):
        terminal = self.start_feed("--speed", "5")
        terminal.see("Messages")
        for lines, columns in ((1, 1), (5, 20), (60, 200), (2, 300), (24, 80)):
            terminal.output = b""
            terminal.resize(lines, columns)
            terminal.see("[2J")
            time.sleep(0.3)
            terminal.read_until(lambda text: text.endswith("[?2026l"))
            # What was on its way for the size before ends where the new size is cleared.
            drawn = terminal.text[terminal.text.rfind("[2J"):]
            rows = [int(row) for row in re.findall(r"\x1b\[(\d+);1H", drawn)]
            self.assertTrue(rows and max(rows) <= lines, f"{lines}x{columns}: lines {rows}")
        for _ in range(200):
            terminal.resize(24, 80)
        terminal.type("q")
        self.assertEqual(terminal.wait(), 0)
        self.assert_restored(terminal)

    def test_frames_are_synchronized_and_hold_only_our_sequences(self):
        hostile = "\\u001b[2J\\u001b]0;x\\u0007\\u009b31m\\r\\u202e\\u2066"
        terminal = Terminal(
            shell=f"""printf '%s\\n' '{{"op":"upsert","id":"a","section":"{hostile}","title":"{hostile}end"}}' """
            f"""'{{"op":"delete","id":"{hostile}"}}' | {DEMO} stdin"""
        )
        self.assertEqual(terminal.wait(), 0)
        text = terminal.text
        self.assertEqual(text.count("[?2026h"), text.count("[?2026l") - 1, "each frame, and one more on leaving")
        rest = OWN.sub("", text)
        self.assertNotRegex(rest, "[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
        self.assertIn("end", rest)

    def test_only_changed_lines_are_repainted_and_an_idle_screen_is_silent(self):
        terminal = Terminal(
            shell=f"(seq 1 20 | sed 's/.*/{{\"op\":\"upsert\",\"id\":&,\"section\":\"s\",\"title\":\"line &\"}}/';"
            f" sleep 3; printf '{{\"op\":\"upsert\",\"id\":7,\"title\":\"changed\"}}\\n'; sleep 30) | {DEMO} stdin"
        )
        terminal.see("line 14")
        time.sleep(2)
        while select.select([terminal.master], [], [], 0)[0]:
            os.read(terminal.master, 65536)
        terminal.output = b""
        terminal.see("changed")
        time.sleep(0.1)
        self.assertNotIn("line 8", terminal.text)
        self.assertLess(len(terminal.output), 500)
        os.killpg(terminal.pid, signal.SIGKILL)
        terminal.wait()

    def test_at_most_thirty_frames_a_second_and_every_update_applied(self):
        terminal = Terminal(
            shell=f"seq 1 20000 | sed 's/.*/{{\"op\":\"upsert\",\"id\":1,\"section\":\"s\",\"title\":\"line &\"}}/'"
            f" | {DEMO} stdin"
        )
        start = time.monotonic()
        self.assertEqual(terminal.wait(60), 0)
        seconds = time.monotonic() - start
        self.assertLessEqual(terminal.text.count("[?2026h"), 30 * seconds + 5)
        self.assertIn("line 20000", terminal.text)


class PlainTests(unittest.TestCase):
    def test_a_log_on_a_terminal_is_words(self):
        for arguments, environment in ((["--log"], {}), ([], {"TERM": "dumb"})):
            with self.subTest(arguments):
                terminal = Terminal("feed", "--lockstep", *arguments, environment=environment)
                self.assertEqual(terminal.wait(), 0)
                self.assertNotIn("\x1b", terminal.text)
                self.assertIn("inserted", terminal.text)

    def test_signals_end_a_log_with_their_codes(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            terminal = Terminal("feed", "--log")
            terminal.see("inserted")
            terminal.signal(number)
            self.assertEqual(terminal.wait(), 128 + number)

    def test_colour_obeys_flags_and_environment(self):
        matrix = (
            ([], {}, True),
            ([], {"NO_COLOR": "1"}, False),
            (["--no-color"], {}, False),
            (["--color", "always"], {"NO_COLOR": "1"}, True),
            (["--color=never"], {"CLICOLOR_FORCE": "1"}, False),
        )
        for arguments, environment, expected in matrix:
            with self.subTest(arguments=arguments, environment=environment):
                terminal = Terminal("feed", "--speed", "5", *arguments, environment=environment)
                terminal.see("Messages")
                terminal.type("q")
                self.assertEqual(terminal.wait(), 0)
                before_leaving = terminal.text[: terminal.text.rfind("\x1b[?2026l\x1b[0m\x1b[?7h")]
                self.assertEqual(bool(re.search(r"\x1b\[\d+m", before_leaving)), expected)

    def test_data_that_is_needed_is_not_waited_for_on_a_terminal(self):
        terminal = Terminal("stdin")
        self.assertEqual(terminal.wait(), 2)
        self.assertIn("that is a terminal", terminal.text)

    def test_lines_arrive_as_they_happen_also_in_a_pipe(self):
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(writer, 1)
            os.execv(DEMO, [DEMO, "feed", "--json"])
        os.close(writer)
        start = time.monotonic()
        times = []
        while len(times) < 10:
            times += [time.monotonic() - start] * os.read(reader, 65536).count(b"\n")
        os.kill(pid, signal.SIGTERM)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 143)
        self.assertLess(times[0], 1)
        self.assertGreater(len(set(times)), 3, "lines came in several writes")


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        DEMO = os.path.abspath(sys.argv.pop(1))
    unittest.main()
