"""What the package costs those who use it: the README's program, built from nothing and after one changed line, beside the
README's program that uses RowcastDiff alone. What they print, and the README's tests, are checked on the way.

    python3 Tests/Weight/weight.py FOLDER

FOLDER is empty. Times are processor seconds of optimised builds, as multiples of the other program's in the same run, so that
machines do not matter; the other one is built before and after. Of three times with one changed line the middle one counts. Exits with 1 beyond LIMITS.
"""

import os
import resource
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Documentation"))
from stranger import check_modules, check_output, check_tests, packages, write  # noqa: E402

# The goals are 2.5, 1.5 and 1.2; these bounds keep what is reached, with room for the noise of a shared machine.
LIMITS = {"clean": 7.5, "one line": 4.2, "megabytes": 3.1}


def seconds(folder):
    # Caches of its own: a clean build is that of a fresh machine, whatever was built on this one before.
    home = folder + ".home"
    os.makedirs(home, exist_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(
        ["swift", "build", "-c", "release", "-j", "2", "--product", "hello"], cwd=folder, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=900, env={**os.environ, "HOME": home, "XDG_CACHE_HOME": home})
    if result.returncode or "warning:" in result.stdout:
        sys.exit(result.stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def changed_line(root):
    with open(os.path.join(root, "Sources/hello/main.swift"), "a", encoding="utf-8") as file:
        file.write('print("one more line")\n')
    return seconds(root)


def measure(root, files, product):
    write(root, files)
    clean = seconds(root)
    check_output(root, files, "release")
    line = statistics.median(changed_line(root) for _ in range(3))
    program = os.path.join(root, ".build/release/hello")
    stripped = os.path.join(root, "stripped")
    subprocess.run(["strip", "-o", stripped, program], check=True)
    libraries = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    size = os.path.getsize(stripped) / 1e6
    print(f"weight: {product}: clean {clean:.1f} s, one line {line:.1f} s, {size:.2f} MB", flush=True)
    return {"clean": clean, "one line": line, "megabytes": size, "Foundation": "Foundation" in libraries}


def main():
    folder = os.path.realpath(sys.argv[1])
    files, part_files = packages(folder)
    part = measure(os.path.join(folder, "part"), part_files, "RowcastDiff")
    check_modules(os.path.join(folder, "part"), "release")
    whole = measure(os.path.join(folder, "whole"), files, "Rowcast")
    # Once more, as a machine does not keep its speed for a minute.
    write(os.path.join(folder, "again"), part_files)
    part["clean"] = (part["clean"] + seconds(os.path.join(folder, "again"))) / 2
    # With the modules that were just built: for tests that look into them all would be built again.
    check_tests(os.path.join(folder, "whole"), "-c", "release", "--disable-testable-imports")
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
