"""What the package costs those who use it: the README's program, built from nothing and after one changed line, beside the
README's program that uses RowcastDiff alone. What they print, and the README's tests, are checked on the way.

    python3 Tests/Weight/weight.py FOLDER

FOLDER is empty. Times are processor seconds of optimised builds, as multiples of the other program's in the same run, so that
machines do not matter. Nor does it that one changes its speed from minute to minute: the other program is built again and again
while this one is, each with one compiler, and with one changed line they take turns. Of three times with one changed line the
middle one counts. Exits with 1 beyond LIMITS.
"""

import atexit
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Documentation"))
from stranger import check_modules, check_output, check_tests, packages, write  # noqa: E402

# The goals are 5, 2.5 and 2.4; these bounds keep what is reached, with room for the noise of a shared machine. Incremental debug
# builds that can be trusted are worth more than the size of a program that arranges nothing: that costs 0.74 MB and 10 s of a clean
# build. .github/CONTRIBUTING.md has the reasons and the figures.
LIMITS = {"clean": 9.3, "one line": 3.6, "megabytes": 3.85}


class Build:
    """A build that runs, for 15 minutes at most. Its processor time is that of all that it has started and waited for."""

    def __init__(self, folder, jobs):
        # Caches of its own: a clean build is that of a fresh machine, whatever was built on this one before.
        home = folder + ".home"
        os.makedirs(home, exist_ok=True)
        self.output = open(folder + ".output", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            ["timeout", "900", "swift", "build", "-c", "release", "-j", str(jobs), "--product", "hello"], cwd=folder,
            stdout=self.output, stderr=subprocess.STDOUT, env={**os.environ, "HOME": home, "XDG_CACHE_HOME": home})
        # If the other one fails, this one ends, too.
        atexit.register(self.process.terminate)

    def seconds(self, wait=True):
        """The processor time; `None` if the build is not to be waited for, and has not ended."""
        pid, status, usage = os.wait4(self.process.pid, 0 if wait else os.WNOHANG)
        if not pid:
            return None
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.output.seek(0)
        text = self.output.read()
        self.output.close()
        if self.process.returncode or "warning:" in text:
            sys.exit(text)
        return usage.ru_utime + usage.ru_stime


def clean(root, files, part_root, part_files):
    """The times of both programs: of the other one the mean of all builds that end before this one's."""
    write(root, files)
    build = Build(root, 1)
    parts = []
    while True:
        folder = part_root + (str(len(parts)) if parts else "")
        write(folder, part_files)
        part = Build(folder, 1).seconds()
        whole = build.seconds(wait=False)
        if whole is None or not parts:
            parts.append(part)
        if whole is not None:
            return whole, statistics.mean(parts)


def changed_line(root):
    with open(os.path.join(root, "Sources/hello/main.swift"), "a", encoding="utf-8") as file:
        file.write('print("one more line")\n')
    return Build(root, 2).seconds()


def program(root):
    """The size of the program without symbols, and the libraries that it needs."""
    path = os.path.join(root, ".build/release/hello")
    stripped = os.path.join(root, "stripped")
    subprocess.run(["strip", "-o", stripped, path], check=True)
    libraries = subprocess.run(["ldd", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return os.path.getsize(stripped) / 1e6, libraries


def main():
    folder = os.path.realpath(sys.argv[1])
    files, part_files = packages(folder)
    root, part = os.path.join(folder, "whole"), os.path.join(folder, "part")
    whole_clean, part_clean = clean(root, files, part, part_files)
    check_output(part, part_files, "release")
    check_output(root, files, "release")
    check_modules(part, "release")
    lines = [(changed_line(part), changed_line(root)) for _ in range(3)]
    part_line, whole_line = (statistics.median(times) for times in zip(*lines))
    (part_size, _), (whole_size, libraries) = program(part), program(root)
    print(f"weight: RowcastDiff: clean {part_clean:.1f} s, one line {part_line:.1f} s, {part_size:.2f} MB", flush=True)
    print(f"weight: Rowcast: clean {whole_clean:.1f} s, one line {whole_line:.1f} s, {whole_size:.2f} MB", flush=True)
    # With the modules that were just built: for tests that look into them all would be built again.
    check_tests(root, "-c", "release", "--disable-testable-imports")
    figures = {"clean": whole_clean / part_clean, "one line": whole_line / part_line, "megabytes": whole_size}
    beyond = [f"{name} {figures[name]:.2f}, {limit} at most" for name, limit in LIMITS.items() if figures[name] > limit]
    if "Foundation" in libraries:
        beyond.append("Foundation is linked")
    print("weight: " + ", ".join(f"{name} {figure:.2f}" for name, figure in figures.items()))
    if beyond:
        sys.exit("weight: too heavy: " + "; ".join(beyond))


main()
