"""Plants small faults in a copy of the package, one at a time, and tells which of them no test sees.

    python3 Tests/Mutants/mutants.py [--count N] [--each] [ROOM …]      all rooms, 10 faults each

All faults are compiled into one build of the copy, in `.build/mutants`; each is behind `plantedFault == N`, which reads the environment
variable ROWCAST_MUTANT. A fault is killed if the tests of its room fail with it, or those of the rooms above, or of others that use it. The
seed is printed; ROWCAST_SEED repeats a run.

With `--each`, the tests of a room go on after the first that fails, and all that fail are printed: a test that is never the only one sees
nothing that others do not. The last line before the table is then the tests that are the only ones for a fault.

Exits with 0 whoever lives: survivors are read by people. What is equivalent to the code as it is cannot be killed.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
COPY = os.path.join(ROOT, ".build/mutants")

SWAPS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
    (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "), (r"\.\.<", "..."), (r" \+= ", " -= "),
    (r"\bmin\(", "max("), (r"\bmax\(", "min("), (r"\.first\b", ".last"), (r"\.last\b", ".first"), (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"), (r"\.isEmpty\b", ".isEmpty == false"), (r"(?<![$.\w])0\b", "1"), (r"(?<![$.\w])1\b", "2"), (r"\.from\b", ".to"),
    (r"\.to\b", ".from"), (r"\.row\b", ".section"), (r"\bbefore\b", "after"), (r"\bafter\b", "before"),
]
OPENERS, CLOSERS = "([{", ")]}"

# The conditions of `#if` and `#elseif` in the sources, and whether their code is compiled: on Linux, with hooks of the runtime.
CONDITIONS = {
    "!canImport(Darwin)": True, "!os(tvOS)": True, "DEBUG": True, "ROWCAST_HOOKS": True, "canImport(Glibc)": True,
    "canImport(RowcastPlatform)": True, "canImport(Musl)": False, "canImport(Darwin)": False, "canImport(UIKit)": False,
    "canImport(UIKit) && !os(watchOS)": False, "(canImport(UIKit) && !os(watchOS)) || canImport(AppKit)": False,
    "canImport(AppKit) && !targetEnvironment(macCatalyst)": False,
}

PLANTED = """
@_silgen_name("getenv")
private func environment(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?

/// The fault that is on. Public, as is its import: code that is compiled where it is used may have one.
public let plantedFault: Int = unsafe environment("ROWCAST_MUTANT").flatMap { unsafe Int(String(cString: $0)) } ?? 0
"""


@dataclasses.dataclass
class Fault:
    number: int
    room: str
    path: str
    line: int
    before: str
    after: str
    text: str  # The line with both.
    fate: str = ""


def balanced(text):
    depth = 0
    for character in re.sub(r'"(\\.|[^"\\])*"', '""', text):
        depth += character in OPENERS
        depth -= character in CLOSERS
        if depth < 0:
            return False
    return depth == 0


def swapped(text, rng):
    """The text with one small fault; `None` if there is no place for one."""
    choices = [(match, new) for old, new in SWAPS for match in re.finditer(old, text) if text[: match.start()].count('"') % 2 == 0]
    if not choices:
        return None
    match, new = rng.choice(choices)
    return text[: match.start()] + new + text[match.end():]


def plant(number, line, next_line, rng):
    """The line with a fault behind its number, and what the fault is; `None` where none is known."""
    on = f"plantedFault == {number}"
    indent, code = re.match(r"( *)(.*)$", line).groups()
    if len(indent) < 4 or re.match(r"//|@|#|case |default|\}|\)|\]|\.|let |var |func |init|import |else|for |switch |catch|do |defer|where ", code):
        return None
    header = re.fullmatch(r"(guard) ([^{}]+?) (else \{.*)", code) or re.fullmatch(r"(if|while) ([^{}]+?) (\{.*)", code)
    if header:
        word, condition, rest = header.groups()
        if re.search(r"\b(let|var|case)\b|, |#", condition) or not balanced(condition):
            return None
        other = swapped(condition, rng) or f"!({condition})"
        return f"{indent}{word} {on} ? ({other}) : ({condition}) {rest}", f"{word} {other}"
    if re.match(r"(if|while|guard)\b", code):
        return None
    if result := re.fullmatch(r"return (.+)", code):
        other = swapped(result[1], rng)
        if not other or not balanced(result[1]) or "{" in result[1]:
            return None
        return f"{indent}return {on} ? ({other}) : ({result[1]})", f"return {other}"
    # A statement of one line: the next one does not continue it.
    depth = len(re.match(r" *", next_line)[0])
    if depth > len(indent) or re.match(r" *[.?:&|+)\]]", next_line) or not balanced(code) or not re.search(r"[)\]}]$| [-+*]?= \S", code):
        return None
    if re.match(r"(throw|break|continue|fallthrough|try|await|_ =)\b", code) is None and not re.match(r"[\w.?!\[\]()]+( [-+*]?= |\()", code):
        return None
    other = swapped(code, rng)
    if code.startswith("self.") and other is None:
        return None  # It may be what an initialiser initialises.
    if not code.startswith("self.") and (other is None or rng.random() < 0.4):
        return f"{indent}if plantedFault != {number} {{ {code} }}", f"without {code}"
    return f"{indent}if {on} {{ {other} }} else {{ {code} }}", other


def compiled(lines):
    """The indexes of the lines that are compiled: on Linux, with the hooks of the runtime."""
    # For each `#if` around a line: whether this branch is compiled, and whether an earlier one was.
    found, branches = [], []
    for index, line in enumerate(lines):
        if header := re.match(r" *#(if|elseif|else|endif)\b *(.*)", line):
            word, condition = header.groups()
            holds, passed = (False, False) if word == "if" else branches.pop()
            if word != "endif":
                if word != "else" and condition not in CONDITIONS:
                    sys.exit(f"mutants: is the code of `#{word} {condition}` compiled on Linux? Add it to CONDITIONS")
                passed = holds or passed
                branches.append((not passed and CONDITIONS.get(condition, True), passed))
        elif all(holds for holds, _ in branches):
            found.append(index)
    return found


def faults(room, count, first, rng):
    """Faults at random lines of a room, no two in one line."""
    places = []
    for path in sorted(glob.glob(os.path.join(COPY, "Sources", room, "**/*.swift"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        in_text, is_compiled = False, set(compiled(lines))
        for index, line in enumerate(lines[:-1]):
            in_text ^= line.count('"""') % 2 == 1
            if not in_text and index in is_compiled:
                places.append((path, index, line, lines[index + 1]))
    rng.shuffle(places)
    found = []
    for path, index, line, following in places:
        if len(found) == count:
            break
        number = first + len(found)
        if planted := plant(number, line, following, rng):
            found.append(Fault(number, room, path, index, line.strip(), planted[1], planted[0]))
    return found


def write(all_faults):
    """Plants the faults in the copy, whose files are as they were."""
    for path, group in grouped(all_faults, lambda fault: fault.path).items():
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for fault in group:
            lines[fault.line] = fault.text
        if "/RowcastDiff/" not in path:
            lines = [re.sub(r"^(package |internal )?import RowcastDiff$", "public import RowcastDiff", line) for line in lines]
            if not any(re.match(r"(@_exported )?public import RowcastDiff$", line) for line in lines):
                lines[0] = "public import RowcastDiff; " + lines[0]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))


def grouped(values, key):
    groups = collections.defaultdict(list)
    for value in values:
        groups[key(value)].append(value)
    return groups


def copy():
    """The tracked files, as they are in the working tree. What was built stays."""
    names = subprocess.check_output(["git", "ls-files", "-z", "Package.swift", "Sources", "Tests", "Demo"], cwd=ROOT, text=True).split("\0")
    for part in ("Sources", "Tests", "Demo"):
        shutil.rmtree(os.path.join(COPY, part), ignore_errors=True)
    for name in filter(None, names):
        os.makedirs(os.path.dirname(os.path.join(COPY, name)), exist_ok=True)
        shutil.copy2(os.path.join(ROOT, name), os.path.join(COPY, name))
    manifest = os.path.join(COPY, "Package.swift")
    with open(manifest, encoding="utf-8") as file:
        text = file.read()
    # A fault may leave code that is never run, or a variable that never changes.
    with open(manifest, "w", encoding="utf-8") as file:
        file.write(text.replace("    .treatAllWarnings(as: .error),\n", ""))
    with open(os.path.join(COPY, "Sources/RowcastDiff/CallerMistake.swift"), "a", encoding="utf-8") as file:
        file.write(PLANTED)


def build(all_faults, rooms):
    """Builds the copy with all faults that compile."""
    environment = {**os.environ, "ROWCAST_TESTED": " ".join(room + "Tests" for room in rooms)}
    # What is compiled is that of a build with hooks; see `CONDITIONS`.
    environment.pop("ROWCAST_NO_HOOKS", None)
    while True:
        copy()
        write(all_faults)
        result = subprocess.run(
            ["swift", "build", "--build-tests", "-debug-info-format", "none"], cwd=COPY, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        if result.returncode == 0:
            return all_faults
        wrong = set()
        for path, line in re.findall(r"^(/[^:\n]+):(\d+):\d+: error", result.stdout, re.MULTILINE):
            # An error may be at the end of the function, as where something is not initialised.
            above = [fault for fault in all_faults if fault.path == path and fault.line < int(line)]
            wrong |= {max(above, key=lambda fault: fault.line).number} if above else set()
        kept = [fault for fault in all_faults if fault.number not in wrong]
        if len(kept) == len(all_faults):
            sys.exit(result.stdout[-4000:] + "\nmutants: the copy does not compile, and no fault is where the errors are")
        print(f"mutants: {len(all_faults) - len(kept)} faults do not compile and are left out", flush=True)
        all_faults = kept


def fate(fault, rooms, limit, every=False):
    """What the tests of some rooms say of a fault, each that fails if `every`, or the first; `[]` if they pass."""
    pattern = "^(" + "|".join(room + "Tests" for room in rooms) + r")\."
    command = [os.path.join(COPY, ".build/debug/rowcastPackageTests.xctest"), "--testing-library", "swift-testing", "--filter", pattern]
    environment = {**os.environ, "ROWCAST_MUTANT": str(fault), "SWIFT_BACKTRACE": "enable=no"}
    # One test at a time: the one that has begun is the one that traps.
    environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = "1"
    # A group of its own, which ends with all programs that tests have started.
    process = subprocess.Popen(
        command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    is_late = threading.Event()
    watch = threading.Timer(limit, lambda: (is_late.set(), os.killpg(process.pid, signal.SIGKILL)))
    watch.start()
    last, running, failed = "", "?", []
    for line in process.stdout:
        last = re.sub(r"\x1b\[[0-9;]*m", "", line).strip() or last
        if begun := re.search(r"◇ Test (.+?) started", last):
            running = begun[1]
        if match := re.search(r'✘ Test ("[^"]+"|(?!run with).+?)(?: recorded| with \d+ | failed)', last):
            failed += [f"fails: {match[1]}"] if f"fails: {match[1]}" not in failed else []
            # The first test that fails is enough.
            if failed and not every:
                os.killpg(process.pid, signal.SIGKILL)
                break
    process.stdout.close()
    code = process.wait()
    watch.cancel()
    if is_late.is_set():
        return failed + [f"hangs: {running}"]
    if code < 0 and (every or not failed):
        return failed + [f"traps: {running}"]
    return failed or ([] if code == 0 else [f"fails: {last}"])


def test_users():
    """The rooms whose tests use a room that they are not above of, such as schedules, as the manifest has them."""
    with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as file:
        table = re.search(r"let testImports = \[(.*?)\n\]", file.read(), re.DOTALL)[1]
    users = collections.defaultdict(list)
    for user, imports in re.findall(r'"(\w+)": \[([^\]]*)\]', table):
        for room in re.findall(r'"(\w+)"', imports):
            users[room].append(user)
    return users


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", metavar="ROOM")
    parser.add_argument("--count", type=int, default=10, help="faults in each room")
    parser.add_argument("--each", action="store_true", help="all tests that see a fault")
    options = parser.parse_args()
    seed = int(os.environ.get("ROWCAST_SEED") or random.randrange(2**32))
    rng = random.Random(seed)
    print(f"mutants: ROWCAST_SEED={seed}", flush=True)
    order = ["Rowcast" + room for room in "Diff Model Store Sources Views Table UI Console Testing Schedules".split()]
    chosen = ["Rowcast" + room.removeprefix("Rowcast") for room in options.rooms] or order
    if unknown := [room for room in chosen if room not in order]:
        sys.exit(f"mutants: no room {', '.join(unknown)}; there are {', '.join(order)}")
    copy()
    users = test_users()
    planted = []
    for room in chosen:
        planted += faults(room, options.count, len(planted) + 1, rng)
    began = time.monotonic()
    planted = build(planted, order)
    print(f"mutants: {len(planted)} faults planted, built in {time.monotonic() - began:.0f} s", flush=True)
    limits = {}
    for room in chosen:
        began = time.monotonic()
        if reason := fate(0, [room], 1200):
            sys.exit(f"mutants: the tests of {room} fail without a fault: {reason[0]}")
        limits[room] = 60 + 5 * (time.monotonic() - began)

    def judge(fault):
        fault.fate = fate(fault.number, [fault.room], limits[fault.room], options.each)
        above = order[order.index(fault.room) + 1:]
        above += [room for room in users.get(fault.room, []) if room not in above]
        if not fault.fate and above:
            fault.fate = [f"{reason} (in a room above)" for reason in fate(fault.number, above, 1200)]
        place = f"{os.path.relpath(fault.path, COPY)}:{fault.line + 1}"
        text = "\n    ".join(fault.fate) if options.each else "".join(fault.fate)
        print(f"{'killed' if fault.fate else 'LIVES'} {fault.number} {place}: {fault.before}  →  {fault.after}  {text}", flush=True)

    # One for each core: most tests use one.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(judge, planted))
    if options.each:
        alone = collections.Counter(fault.fate[0].split(": ", 1)[1] for fault in planted if len(fault.fate) == 1)
        print("mutants: the only one for a fault:", *(f"\n    {count} {test}" for test, count in alone.most_common()))
    print("mutants: room, planted, killed, by a trap alone")
    for room, group in grouped(planted, lambda fault: fault.room).items():
        killed = [fault for fault in group if fault.fate]
        print(f"mutants: {room}, {len(group)}, {len(killed)}, {sum(fault.fate[0].startswith('traps') for fault in killed)}")


main()
