"""What somebody does who has found the README and nothing else: from an empty folder, the package that it prints, built, run and
tested. Optimised, `Tests/Weight/weight.py` does the same, and measures it.

    python3 Tests/Documentation/stranger.py FOLDER

FOLDER is empty. The files are those that the README marks; those below `DiffOnly` make a second package, of `RowcastDiff` alone.
"""

import os
import re
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
    os.symlink(ROOT, os.path.join(folder, "rowcast"))
    if '.package(path: "../rowcast")' not in whole["Package.swift"].text:
        sys.exit("the README's package does not depend on ../rowcast")
    return whole, {**part, "Package.swift": MANIFEST}


def check(folder):
    whole, part = packages(folder)
    # The folder of the tutorial's package, which is built there next.
    home = os.path.join(folder, "board")
    write(home, whole)
    check_tests(home)
    check_rebuilding(home)
    check_output(home, whole, "debug")

    home = os.path.join(folder, "diff only")
    write(home, part)
    run(home, "swift", "build")
    check_output(home, part, "debug")
    check_modules(home, "debug")


if __name__ == "__main__":
    check(os.path.realpath(sys.argv[1]))
