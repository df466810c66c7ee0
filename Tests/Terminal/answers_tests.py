"""What the terminal is asked is answered before the shell has the terminal again: nothing of ours is typed into it."""

import os
import random
import select
import signal
import sys
import termios
import time
import unittest

from pseudo_terminal import DEMO, LEAVE, Terminal, TerminalTestCase, upsert

MODES = "2026", "2027", "2031", "2048"
ANSWER = b"".join(b"\x1b[?%s;2$y" % mode.encode() for mode in MODES) + b"\x1b[?0u\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c"


class AnswerTests(TerminalTestCase):
    def left_behind(self, terminal, delay, stops=False):
        """What a program leaves to the shell of the answer, which comes some time after the question."""
        asked = answered = None
        end = time.monotonic() + 60
        ended = False
        while not (ended and (asked is None or answered)):
            self.assertLess(time.monotonic(), end, "the program ends")
            terminal.read(0.005)
            if asked is None and "\x1b[c" in terminal.text:
                asked = time.monotonic()
            if asked and not answered and time.monotonic() - asked >= delay:
                terminal.type(ANSWER)
                answered = True
            if not ended:
                pid, status = os.waitpid(terminal.pid, os.WNOHANG | os.WUNTRACED)
                ended = pid != 0
        # Also what is not a whole line.
        modes = termios.tcgetattr(terminal.slave)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(terminal.slave, termios.TCSANOW, modes)
        rest = os.read(terminal.slave, 1000) if select.select([terminal.slave], [], [], 0.02)[0] else b""
        if stops:
            terminal.signal(signal.SIGKILL)
            terminal.wait()
        return rest

    def runs(self):
        """Programs that may end before the answer, and what is done to them."""
        yield "an update", Terminal("feed", "--max-updates", "1", answers=False), False
        terminal = self.start_stdin(upsert("a", "a row"), answers=False)
        terminal.end_input()
        yield "input that ends at once", terminal, False
        yield "a short time", Terminal("feed", "--duration", "0.05", answers=False), False
        yield "a bit longer", Terminal("feed", "--duration", "1.2", answers=False), False
        for number in (signal.SIGTERM, signal.SIGTSTP):
            terminal = Terminal("settings", answers=False)
            terminal.see("[?1049h")
            terminal.signal(number)
            yield f"signal {number}", terminal, number == signal.SIGTSTP
        terminal = Terminal("settings", answers=False)
        terminal.see("[?1049h")
        terminal.type("q")
        yield "q", terminal, False
        # Asked once more, as its colours have changed.
        terminal = Terminal("settings", answers=FeatureTests.ANSWERS)
        terminal.see(FeatureTests.ON)
        terminal.answers = {}
        terminal.type("\x1b[?997;2n")
        terminal.read_until(lambda text: text.count("\x1b[c") == 2)
        terminal.forget()
        terminal.output = b"\x1b[c"
        terminal.type("q")
        yield "q after another question", terminal, False

    def test_no_answer_is_typed_into_the_shell(self):
        seed = int(os.environ.get("ROWCAST_SEED") or random.randrange(1 << 32))
        print(f"fuzz: answers: ROWCAST_SEED={seed}", file=sys.stderr)
        chance = random.Random(seed)
        for _ in range(12 if os.environ.get("ROWCAST_LONG") == "1" else 1):
            for name, terminal, stops in self.runs():
                delay = chance.randint(1, 600) / 1000
                with self.subTest(name, delay=delay):
                    self.assertEqual(self.left_behind(terminal, delay, stops), b"")
                os.close(terminal.master)
                os.close(terminal.slave)

    def test_a_terminal_that_never_answers_is_not_waited_for_long(self):
        terminal = Terminal("settings", answers=False)
        terminal.see("[?1049h")
        terminal.type("q")
        self.assertEqual(terminal.wait(), 0)


class FeatureTests(TerminalTestCase):
    """What the terminal has is used while the app has the screen, and by nobody afterwards."""

    ANSWERS = {
        **{f"\x1b[?{mode}$p": f"\x1b[?{mode};2$y" for mode in MODES},
        "\x1b[?u": "\x1b[?0u",
        "\x1b]11;?\x07": "\x1b]11;rgb:0000/0000/0000\x07",
        "\x1b[c": "\x1b[?62;22c",
    }
    ON = "\x1b[?2027h\x1b[?2031h\x1b[?2048h\x1b[>5u"
    OFF = "\x1b[?2026l\x1b[?2027l\x1b[?2031l\x1b[?2048l\x1b[<u"

    def start(self, *arguments, answers=None, **options):
        terminal = Terminal(*(arguments or ["settings"]), answers=self.ANSWERS if answers is None else answers, **options)
        terminal.see(self.ON)
        return terminal

    def assert_off(self, terminal, times=1):
        """Sees that all is off, the keyboard as often as it was on, and before the screen is left, which has a keyboard of its own."""
        self.assert_restored(terminal)
        text = terminal.text
        self.assertEqual((text.count("\x1b[>5u"), text.count("\x1b[<u")), (times, times))
        self.assertEqual(text.count(self.OFF + LEAVE), times)

    def test_features_are_off_after_each_end(self):
        ends = ["q", "\x1b[99;5u", "\x1b[92;5u", signal.SIGTERM, signal.SIGHUP, signal.SIGABRT, signal.SIGSEGV, signal.SIGUSR1, signal.SIGALRM]
        codes = {"q": 0, "\x1b[99;5u": 130, "\x1b[92;5u": 131}
        for end in ends:
            with self.subTest(end):
                terminal = self.start()
                terminal.type(end) if isinstance(end, str) else terminal.signal(end)
                self.assertEqual(terminal.wait(), codes[end] if isinstance(end, str) else 128 + end)
                self.assert_off(terminal)

    def test_features_are_off_while_the_app_is_stopped_and_on_afterwards(self):
        for stop in ("\x1b[122;5u", signal.SIGTSTP):
            with self.subTest(stop):
                terminal = self.start()
                for times in (1, 2):
                    terminal.type(stop) if isinstance(stop, str) else terminal.signal(stop)
                    terminal.read_until(lambda text: text.count(LEAVE) == times)
                    pid, status = os.waitpid(terminal.pid, os.WUNTRACED)
                    self.assertTrue(os.WIFSTOPPED(status))
                    self.assert_off(terminal, times)
                    terminal.signal(signal.SIGCONT)
                    terminal.read_until(lambda text: text.count(self.ON) == times + 1)
                # As after a stop that cannot be caught: the screen was not left, and the keyboard is not pushed again.
                terminal.signal(signal.SIGSTOP)
                os.waitpid(terminal.pid, os.WUNTRACED)
                terminal.signal(signal.SIGCONT)
                terminal.see("\x1b[=5;1u")
                terminal.type("q")
                self.assertEqual(terminal.wait(), 0)
                self.assert_off(terminal, 3)

    def test_a_crash_before_the_answers_and_one_without_features_end_nothing_else(self):
        for answers in (False, True, {"\x1b[?2027$p": "\x1b[?2027;1$y", "\x1b[?2048$p": "\x1b[?2048;3$y", "\x1b[c": "\x1b[?6c"}):
            for end in ("q", signal.SIGSEGV, signal.SIGUSR1):
                with self.subTest(answers=answers, end=end):
                    terminal = Terminal("settings", answers=answers)
                    terminal.see_on_screen("Wi-Fi")
                    if answers:
                        # All that was answered is known before this key.
                        terminal.type("j")
                        terminal.see_on_screen("▸")
                    terminal.type(end) if end == "q" else terminal.signal(end)
                    terminal.wait()
                    self.assert_restored(terminal)
                    for number in ("2027", "2031", "2048"):
                        self.assertNotRegex(terminal.text, f"\\?{number}[hl]")
                    self.assertNotIn("\x1b[<u", terminal.text)
                    self.assertEqual("\x1b[?2026l" in terminal.text, answers is True)

    def test_keys_that_are_sequences_are_signals_for_the_whole_job(self):
        terminal = self.start(shell=f"trap 'echo trapped' INT; {DEMO} settings; echo code $?")
        terminal.type("\x1b[99;5u")
        terminal.see("trapped")
        terminal.see("code 130")
        terminal.wait()
        # The key that the person has chosen, also where the layout is another one.
        for key in ("\x1b[120;5u", "\x1b[1095::120;5u"):
            terminal = self.start(shell=f"stty intr ^X; {DEMO} settings; echo code $?")
            terminal.type("j")
            terminal.see_on_screen("▸")
            terminal.type(key)
            terminal.see("code 130")
            terminal.wait()

    def test_the_size_is_the_reported_one(self):
        terminal = self.start()
        terminal.see_on_screen("Wi-Fi")
        terminal.forget()
        terminal.type("\x1b[48;10;40;200;400t")
        terminal.see("\x1b[10;1H")
        terminal.read_until(lambda text: terminal.has_whole_frames)
        self.assertNotIn("\x1b[11;1H", terminal.text)
        self.assert_quits(terminal)

    def test_answers_in_pieces_between_keys_are_no_keys(self):
        seed = int(os.environ.get("ROWCAST_SEED") or random.randrange(1 << 32))
        print(f"fuzz: pieces of answers: ROWCAST_SEED={seed}", file=sys.stderr)
        chance = random.Random(seed)
        for turn in range(60 if os.environ.get("ROWCAST_LONG") == "1" else 4):
            terminal = Terminal("settings", answers=False)
            terminal.see("\x1b[c")
            rest = ANSWER
            # The first piece may end with an ESC, for longer than the time after which that would be a key.
            count = ANSWER.index(b"\x1b]") + 1 if turn == 0 else chance.choice([1, chance.randint(1, 30)])
            while rest:
                terminal.type(rest[:count])
                rest = rest[count:]
                terminal.pause(0.15 if turn == 0 else chance.choice([0, 0.02, 0.12]))
                count = chance.randint(1, 30)
            terminal.see(self.ON)
            terminal.type("jjk")
            terminal.see_on_screen("▸")
            terminal.read_while_quiet_for(0.3)
            # No letter of an answer has done anything.
            self.assertRegex(str(terminal.screen), r"▸.*Wi-Fi")
            self.assertIn("q quit", str(terminal.screen))
            self.assertEqual(terminal.quit(), 0)


if __name__ == "__main__":
    unittest.main()
