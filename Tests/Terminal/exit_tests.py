"""Every way out gives the terminal back, with the right exit code."""

import os
import random
import signal
import subprocess
import sys
import unittest

from pseudo_terminal import DEMO, LEAVE, Terminal, TerminalTestCase, upsert


class ExitTests(TerminalTestCase):
    def test_q_ends_with_0(self):
        terminal = self.start_feed()
        self.assert_quits(terminal)
        self.assertIn("= end:", terminal.text)

    def test_signals_end_with_their_codes(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                terminal = self.start_feed()
                terminal.signal(number)
                self.assert_ends(terminal, 128 + number)

    def test_control_c_and_control_backslash_end_also_what_was_started_to_ignore_them(self):
        # Swift's backtraces, which are on where people sit, must not bring the program back from a quit.
        for trap, backtraces in (("", "enable=no"), ("trap '' INT QUIT; ", "enable=no"), ("", "enable=yes,interactive=no")):
            for key, code in (("\x03", 130), ("\x1c", 131)):
                with self.subTest(trap=trap, key=key, backtraces=backtraces):
                    terminal = Terminal(shell=f"{trap}exec {DEMO} feed", environment={"SWIFT_BACKTRACE": backtraces})
                    terminal.see("[?1049h")
                    terminal.see("operations")
                    terminal.type(key)
                    self.assert_ends(terminal, code)

    def test_a_signal_that_comes_at_once_is_not_lost_and_nothing_is_drawn_before_the_screen_is_taken_over(self):
        for _ in range(20):
            terminal = Terminal("feed")
            terminal.see("[?1049h")
            self.assertTrue(terminal.text.startswith("\x1b[?1049h"), repr(terminal.text[:60]))
            terminal.signal(signal.SIGTERM)
            self.assert_ends(terminal, 143)

    def test_a_crash_restores(self):
        for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGTRAP, signal.SIGILL, signal.SIGBUS, signal.SIGFPE):
            with self.subTest(number):
                terminal = self.start_feed()
                terminal.signal(number)
                self.assert_ends(terminal, 128 + number)

    def test_a_crash_that_somebody_else_causes_restores_and_ends_where_backtraces_are_on(self):
        for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGTRAP):
            with self.subTest(number):
                terminal = Terminal("settings", environment={"SWIFT_BACKTRACE": "enable=yes,interactive=no"})
                terminal.see_on_screen("Wi-Fi")
                terminal.signal(number)
                self.assert_ends(terminal, 128 + number)

    def test_every_signal_that_ends_a_process_restores(self):
        others = (signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT, signal.SIGCHLD)
        others += (signal.SIGURG, signal.SIGWINCH, signal.SIGPIPE, 32, 33)
        numbers = [number for number in range(1, 65) if number not in others]
        if os.environ.get("ROWCAST_LONG") != "1":
            seed = int(os.environ.get("ROWCAST_SEED") or random.randrange(1 << 32))
            print(f"fuzz: signals: ROWCAST_SEED={seed}", file=sys.stderr)
            numbers = [signal.SIGUSR1, signal.SIGALRM, *random.Random(seed).sample(numbers, 5)]
        for number in numbers:
            with self.subTest(number):
                terminal = Terminal("settings")
                terminal.see_on_screen("Wi-Fi")
                terminal.signal(number)
                self.assert_ends(terminal, 128 + number)

    def test_with_few_descriptors_keys_work_or_the_reason_is_told(self):
        for count in (7, 8, 9, 10, 11, 12, 14, 18, 20, 22, 24, 32):
            with self.subTest(count):
                terminal = Terminal(shell=f"ulimit -n {count}; exec {DEMO} settings")
                terminal.type("q")
                code = terminal.wait()
                if "[?1049h" in terminal.text:
                    self.assert_restored(terminal)
                self.assertIn(code, (0, 1))
                if code == 1:
                    self.assertRegex(terminal.text[terminal.text.rfind(LEAVE) + 1 :], "demo: .*[Tt]oo many open files")
                self.assertEqual(code, 1 if count < 16 else 0 if count > 24 else code)

    def test_with_few_descriptors_a_log_is_written_or_the_reason_is_told(self):
        for count in (7, 8, 9, 10, 12, 14, 16):
            with self.subTest(count):
                shell = f"ulimit -n {count}; exec {DEMO} feed --log --max-updates 9 --seed 1"
                run = subprocess.run(["bash", "-c", shell], capture_output=True, text=True)
                self.assertIn(run.returncode, (0, 1))
                if run.returncode == 1:
                    self.assertRegex(run.stderr, "demo: .*[Tt]oo many open files")
                self.assertEqual(run.returncode, 1 if count < 10 else 0 if count > 14 else run.returncode)

    def test_a_terminal_that_goes_away_ends_the_program(self):
        terminal = self.start_feed()
        os.close(terminal.slave)
        os.close(terminal.master)
        terminal.master = os.open("/dev/null", os.O_RDONLY)
        self.assertNotEqual(terminal.wait(), 0)

    def test_the_end_of_the_input_leaves_the_list_behind(self):
        terminal = self.start_stdin(upsert("a", "last words"))
        terminal.end_input()
        self.assert_ends(terminal)
        self.assertIn("last words", terminal.text[terminal.text.rfind(LEAVE) :])

    def test_bad_input_is_told_when_it_comes_and_after_the_terminal_was_given_back(self):
        for arguments, code in (((), 0), (("--strict-input",), 1)):
            with self.subTest(arguments):
                terminal = self.start_stdin(upsert("a", "good"), "bad", arguments=arguments)
                terminal.see("good")
                if code == 0:
                    terminal.see("line 2: no JSON")
                    terminal.end_input()
                self.assert_ends(terminal, code)
                self.assertIn("demo: line 2: no JSON", terminal.text[terminal.text.rfind(LEAVE) :])

    def test_a_closed_pipe_ends_a_log_quietly(self):
        terminal = Terminal(shell=f"set -o pipefail; {DEMO} feed --lockstep --log | head -n 1 >/dev/null")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(terminal.text, "")

    def test_suspending_gives_the_terminal_back_and_resuming_takes_it_again(self):
        terminal = self.start_feed()
        for _ in range(3):
            terminal.signal(signal.SIGTSTP)
            terminal.see("[?1049l")
            pid, status = os.waitpid(terminal.pid, os.WUNTRACED)
            self.assertTrue(os.WIFSTOPPED(status))
            self.assert_restored(terminal)
            terminal.forget()
            terminal.signal(signal.SIGCONT)
            terminal.see("[?1049h")
            terminal.see_on_screen("Messages")
            terminal.forget()
            terminal.type("?")
            terminal.see("Keys")
            terminal.forget()
            terminal.type("?")
            terminal.see("Messages")
        self.assertEqual(terminal.quit(), 0)

    def test_suspending_under_a_shell(self):
        terminal = Terminal(shell=f"set -m; {DEMO} feed --speed 0.2; echo stopped; stty -a | grep -o ' icanon'; fg; echo $?")
        terminal.see("Messages")
        terminal.type("\x1a")
        terminal.see("stopped")
        terminal.see(" icanon")
        self.assertNotIn("-icanon", terminal.text)
        terminal.forget()
        terminal.see("Messages")
        terminal.type("q")
        terminal.see("= end:")
        self.assert_ends(terminal)


if __name__ == "__main__":
    unittest.main()
