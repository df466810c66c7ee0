#!/usr/bin/env python3
"""Compiles the page WithServerFramework.md against the packages of others, in packages of their own, and runs it.

    python3 Tests/Frameworks/frameworks.py [FOLDER]

Each program takes some sections of the page. The packages are made in the folder, or in a temporary one. A program whose packages
cannot all be reached is skipped, which is said.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAGE = os.path.join(ROOT, "Sources/Rowcast/Rowcast.docc/WithServerFramework.md")
FENCE = re.compile(r"^```Swift\n(.*?)^```", re.DOTALL | re.MULTILINE)
# The programs: their sections, and their packages, each with the name of the repository, the oldest version, and the products.
PROGRAMS = {
    "grdb": (["The list", "GRDB"], [("groue/GRDB.swift", "7.0.0", ["GRDB"])]),
    "flyingfox": (["The list", "FlyingFox"], [("swhitty/FlyingFox", "0.26.0", ["FlyingFox", "FlyingSocks"])]),
    "hummingbird": (["The list", "Hummingbird", "Services", "Metrics and logs"], [
        ("hummingbird-project/hummingbird", "2.5.0", ["Hummingbird", "HummingbirdTesting"]),
        ("apple/swift-http-types", "1.3.0", ["HTTPTypes"]),
        ("swift-server/swift-service-lifecycle", "2.6.0", ["ServiceLifecycle"]),
        ("apple/swift-log", "1.6.0", ["Logging"]),
        ("apple/swift-metrics", "2.5.0", ["Metrics"]),
    ]),
}


def url(name):
    return f"https://github.com/{name}.git"


def is_reachable(name):
    try:
        return subprocess.run(["git", "ls-remote", url(name), "HEAD"], capture_output=True, timeout=30).returncode == 0
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return False


def sections():
    """The code of the page by the titles of its sections."""
    with open(PAGE, encoding="utf-8") as page:
        parts = page.read().split("\n### ")[1:]
    return {part.split("\n", 1)[0]: "\n".join(FENCE.findall(part)) for part in parts}


def has_sqlite():
    """Whether the headers of SQLite, which GRDB needs on Linux, are there, or could be installed."""
    def is_there():
        check = ["clang", "-fsyntax-only", "-x", "c", "-include", "sqlite3.h", os.devnull]
        return sys.platform == "darwin" or subprocess.run(check, capture_output=True).returncode == 0

    if is_there():
        return True
    print("frameworks: no sqlite3.h yet; installing libsqlite3-dev", flush=True)
    result = subprocess.run(
        "apt-get update -qq && apt-get install -qqy libsqlite3-dev", shell=True, capture_output=True, text=True)
    if not is_there():
        print("\n".join((result.stdout + result.stderr).splitlines()[-5:]))
    return is_there()


def manifest(program, packages):
    dependencies = "".join(f'    .package(url: "{url(name)}", from: "{version}"),\n' for name, version, _ in packages)
    products = "".join(
        f'        .product(name: "{product}", package: "{name.split("/")[1]}"),\n'
        for name, _, products in packages for product in products)
    return f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "{program}-page",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "rowcast", path: "{ROOT}"),
{dependencies}  ],
  targets: [
    .executableTarget(
      name: "{program}-page",
      dependencies: [
        .product(name: "Rowcast", package: "rowcast"),
{products}      ])
  ])
"""


def build(folder, program, code, packages):
    """Builds and runs a program; returns whether nothing failed."""
    sources = os.path.join(folder, "Sources", f"{program}-page")
    os.makedirs(sources, exist_ok=True)
    with open(os.path.join(folder, "Package.swift"), "w", encoding="utf-8") as file:
        file.write(manifest(program, packages))
    with open(os.path.join(sources, "Page.swift"), "w", encoding="utf-8") as file:
        file.write(code)
    shutil.copy(os.path.join(ROOT, f"Tests/Frameworks/{program}.swift"), os.path.join(sources, "main.swift"))
    # Neither the demo nor tests are built.
    environment = {**os.environ, "ROWCAST_TESTED": "none"}
    # The packages have packages, which may be out of reach.
    resolve = ["swift", "package", "--package-path", folder, "resolve"]
    result = subprocess.run(resolve, env=environment, capture_output=True, text=True)
    lost = re.findall(r".*(?:unable to access|resolve host|[Ff]ailed to clone|timed out).*", result.stdout + result.stderr)
    if result.returncode and lost:
        print(f"frameworks: {program} SKIPPED, cannot reach what its packages need:", *lost, sep="\n  ", flush=True)
        return True
    print(result.stderr if result.returncode else "", end="", flush=True)
    command = ["swift", "run", "--package-path", folder, f"{program}-page"]
    return subprocess.run(command, env=environment, check=False).returncode == 0


def run(folder):
    parts = sections()
    untested = set(parts) - {title for titles, _ in PROGRAMS.values() for title in titles}
    if untested:
        print(f"frameworks: no program has the sections {', '.join(sorted(untested))}")
        return 1
    failed = []
    for program, (titles, packages) in PROGRAMS.items():
        missing = [name for name, _, _ in packages if not is_reachable(name)]
        if missing:
            print(f"frameworks: {program} SKIPPED, cannot reach {', '.join(missing)}", flush=True)
        elif program == "grdb" and not has_sqlite():
            print("frameworks: grdb SKIPPED, libsqlite3-dev could not be installed", flush=True)
        elif not build(os.path.join(folder, f"{program}-page"), program, "\n".join(parts[title] for title in titles), packages):
            failed.append(program)
    if failed:
        print(f"frameworks: FAILED: {', '.join(failed)}")
    return len(failed)


def main():
    if len(sys.argv) > 1:
        return run(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        return run(folder)


sys.exit(main())
