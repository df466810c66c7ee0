"""What somebody does who has found the README and nothing else: from an empty folder, the package that it prints, built, run and
tested. Optimised, `Tests/Weight/weight.py` does the same, and measures it.

    python3 Tests/Documentation/stranger.py FOLDER

FOLDER is empty. The files are those that the README marks; those below `DiffOnly` make a second package, of `RowcastDiff` alone.
"""

import os
import re
import shutil
import subprocess
import sys
import time

from pages import ROOT, programs

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hello", platforms: [.macOS(.v13)], dependencies: [.package(path: "../rowcast")],
  targets: [.executableTarget(name: "hello", dependencies: [.product(name: "RowcastDiff", package: "rowcast")])])
"""


def run(folder, *command):
    began = time.monotonic()
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=900)
    print(f"{os.path.basename(folder)}: {' '.join(command)}: {time.monotonic() - began:.0f} s", flush=True)
    if result.returncode:
        sys.exit(result.stdout + result.stderr)
    if "warning:" in result.stderr + result.stdout:
        sys.exit("a warning:\n" + result.stderr + result.stdout)
    return result.stdout


def write(folder, files):
    for path, block in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(block if isinstance(block, str) else block.text)


def check_output(folder, files, configuration):
    printed = run(folder, "swift", "run", "--skip-build", "-c", configuration, "hello").strip()
    expected = next(block.prints for path, block in files.items() if path.endswith("main.swift"))
    if expected is None or printed != expected.strip():
        sys.exit(f"it prints\n{printed}\nand the README says\n{expected}")


def check_tests(folder, *flags):
    tested = run(folder, "swift", "test", *flags)
    if not re.search(r"Test run with [1-9]\d* tests? .*passed", tested):
        sys.exit("no test ran:\n" + tested)


def check_modules(folder, configuration):
    products = run(folder, "swift", "build", "-c", configuration, "--show-bin-path").strip()
    built = os.listdir(os.path.join(products, "Modules"))
    modules = {name.removesuffix(".swiftmodule") for name in built if name.endswith(".swiftmodule")}
    if modules != {"RowcastDiff", "hello"}:
        sys.exit(f"more is built than RowcastDiff: {sorted(modules)}")


def check_rebuilding(folder):
    """SwiftPM compiles a target again if a module changes that it depends on itself; one that `Rowcast` re-exports is such a module
    only because the product names it."""
    with open(os.path.join(ROOT, "Sources/Rowcast/Rowcast.swift"), encoding="utf-8") as file:
        modules = set(re.findall(r"@_exported public import (\w+)", file.read())) | {"Rowcast"}
    with open(os.path.join(folder, ".build/debug.yaml"), encoding="utf-8") as file:
        inputs = re.search(r'"C\.hello-[^"]*\.module":\n.*\n    inputs: (.*)', file.read()).group(1)
    missing = modules - set(re.findall(r"/(\w+)\.swiftmodule", inputs))
    if missing or len(modules) < 2:
        sys.exit(f"programs are not compiled again after changes of {sorted(missing)}")


# A function of each room, whose body is compiled where it is used if it is optimised, and a program that calls them all.
BODIES = {
    "RowcastDiff/Matching/Changeset+Matching.swift": "before: (GapOffset, Int) -> Position, after: (GapOffset, Int) -> Position\n  ) {",
    "RowcastModel/Snapshot/ListSnapshot+Changes.swift": "static func changes(from before: ListSnapshot, to after: ListSnapshot) -> ListChanges {",
    "RowcastStore/Editing/SoleSection.swift": "mutating func upsert(_ row: Row) throws(Failure) {",
    "RowcastViews/Operators/Placement/Placement.swift": "mutating func rebuild(from list: Input, _ transform: Transform) {",
}
CALLS = """import Rowcast

struct Note: RowViewModel { let id: Int; var text: String }

let notes = ListStore<SoleSection, Note>()
let longest = notes.arranged { $0.filter { $0.id > 0 }.sorted(by: .descending(\\.text.count)) }
var updates = longest.updates().makeAsyncIterator()
_ = await updates.next()
try await notes.edit { try $0.upsert(Note(id: 1, text: "milk")) }
print(await updates.next()?.changes.rows.inserts.count ?? 0)
"""


def check_bodies(root, home):
    """A build of what has changed sees the change, though it is only in the body of a function."""
    with open(os.path.join(home, "Sources/hello/main.swift"), "w", encoding="utf-8") as file:
        file.write(CALLS)
    before = run(home, "swift", "run", "hello").split()
    for path, header in BODIES.items():
        path = os.path.join(root, "Sources", path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if text.count(header) != 1:
            sys.exit(f"{path} has {text.count(header)} functions {header!r}; name another one in BODIES")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(header, f'{header}\n    print("{path.split("Sources/")[1].split("/")[0]}")'))
    after = set(run(home, "swift", "run", "hello").split())
    missing = {path.split("/")[0] for path in BODIES} - after
    if before != ["1"] or missing:
        sys.exit(f"it prints {before}, and after changes of {sorted(BODIES)} what it was before those of {sorted(missing)}")


def packages(folder):
    """The files of the README's package, and those of a package of `RowcastDiff` alone; the clone stands beside their folders."""
    blocks = {block.path: block for program in programs(os.path.join(ROOT, "README.md")) for block in program.blocks if block.path}
    whole = {path: block for path, block in blocks.items() if not path.startswith("DiffOnly/")}
    part = {path.removeprefix("DiffOnly/"): block for path, block in blocks.items() if path.startswith("DiffOnly/")}
    for files, needed in ((whole, "Package.swift main.swift Tests.swift"), (part, "main.swift")):
        for name in needed.split():
            if not any(path.endswith(name) for path in files):
                sys.exit(f"the README has no file {name}")
    # The README says where the clone stands and how it is called.
    clone = os.path.join(folder, "rowcast")
    for path in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0"):
        # Somebody may have deleted a file that is not committed yet.
        if path and os.path.exists(os.path.join(ROOT, path)):
            os.makedirs(os.path.dirname(os.path.join(clone, path)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, path), os.path.join(clone, path))
    if '.package(path: "../rowcast")' not in whole["Package.swift"].text:
        sys.exit("the README's package does not depend on ../rowcast")
    return whole, {**part, "Package.swift": MANIFEST}


def check(folder):
    whole, part = packages(folder)
    home = os.path.join(folder, "whole")
    write(home, whole)
    check_tests(home)
    check_rebuilding(home)
    check_output(home, whole, "debug")
    check_bodies(os.path.join(folder, "rowcast"), home)

    home = os.path.join(folder, "diff only")
    write(home, part)
    run(home, "swift", "build")
    check_output(home, part, "debug")
    check_modules(home, "debug")


if __name__ == "__main__":
    check(os.path.realpath(sys.argv[1]))
