"""What the package costs those who use it: the README's program, built from nothing and after one changed line, beside the
README's program that uses RowcastDiff alone.

    python3 Tests/Weight/weight.py FOLDER

FOLDER is empty. Times are processor seconds of optimised builds, as multiples of the other program's in the same run, so that
machines do not matter. Exits with 1 beyond LIMITS.
"""

import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Documentation"))
from pages import ROOT, programs  # noqa: E402

# The goals are 2.5, 1.5 and 1.2; these bounds keep what is reached, with room for the noise of a shared machine.
LIMITS = {"clean": 7.2, "one line": 4.2, "megabytes": 3.0}


def seconds(folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(
        ["swift", "build", "-c", "release", "-j", "2"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=900)
    if result.returncode:
        sys.exit(result.stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(folder, name, main, product):
    root = os.path.join(folder, name)
    source = os.path.join(root, "Sources/hello/main.swift")
    os.makedirs(os.path.dirname(source))
    with open(os.path.join(root, "Package.swift"), "w", encoding="utf-8") as file:
        file.write(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hello", platforms: [.macOS(.v13)], dependencies: [.package(path: "../rowcast")],
  targets: [.executableTarget(name: "hello", dependencies: [.product(name: "{product}", package: "rowcast")])])
""")
    with open(source, "w", encoding="utf-8") as file:
        file.write(main)
    clean = seconds(root)
    with open(source, "a", encoding="utf-8") as file:
        file.write('print("one more line")\n')
    line = seconds(root)
    program = os.path.join(root, ".build/release/hello")
    stripped = os.path.join(root, "stripped")
    subprocess.run(["strip", "-o", stripped, program], check=True)
    libraries = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    size = os.path.getsize(stripped) / 1e6
    print(f"weight: {product}: clean {clean:.1f} s, one line {line:.1f} s, {size:.2f} MB", flush=True)
    return {"clean": clean, "one line": line, "megabytes": size, "Foundation": "Foundation" in libraries}


def main():
    folder = sys.argv[1]
    os.symlink(ROOT, os.path.join(folder, "rowcast"))
    mains = {
        block.path: block.text for program in programs(os.path.join(ROOT, "README.md")) for block in program.blocks
        if block.path and block.path.endswith("hello/main.swift")}
    part = measure(folder, "part", mains["DiffOnly/Sources/hello/main.swift"], "RowcastDiff")
    whole = measure(folder, "whole", mains["Sources/hello/main.swift"], "Rowcast")
    figures = {
        "clean": whole["clean"] / part["clean"], "one line": whole["one line"] / part["one line"],
        "megabytes": whole["megabytes"]}
    beyond = [f"{name} {figures[name]:.2f}, {limit} at most" for name, limit in LIMITS.items() if figures[name] > limit]
    if whole["Foundation"]:
        beyond.append("Foundation is linked")
    print("weight: " + ", ".join(f"{name} {figure:.2f}" for name, figure in figures.items()))
    if beyond:
        sys.exit("weight: too heavy: " + "; ".join(beyond))


main()
