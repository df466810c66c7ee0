#!/usr/bin/env python3
"""Compiles the page WithServerFramework.md against the packages of others, in a package of its own, and runs it.

    python3 Tests/Frameworks/frameworks.py [FOLDER]

The package is made in the folder, or in a temporary one. If a package cannot be fetched, this is said, and nothing is tested.
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
# The name of the repository, the oldest version, and the products.
PACKAGES = [
    ("hummingbird-project/hummingbird", "2.5.0", ["Hummingbird", "HummingbirdTesting"]),
    ("apple/swift-http-types", "1.3.0", ["HTTPTypes"]),
    ("swift-server/swift-service-lifecycle", "2.6.0", ["ServiceLifecycle"]),
    ("apple/swift-log", "1.6.0", ["Logging"]),
    ("apple/swift-metrics", "2.5.0", ["Metrics"]),
]


def url(name):
    return f"https://github.com/{name}.git"


def unreachable():
    """The packages whose repositories do not answer."""
    found = []
    for name, _, _ in PACKAGES:
        try:
            answer = subprocess.run(["git", "ls-remote", url(name), "HEAD"], capture_output=True, timeout=30)
        except (subprocess.TimeoutExpired, FileNotFoundError):
            found.append(name)
        else:
            if answer.returncode:
                found.append(name)
    return found


def manifest():
    dependencies = "".join(f'    .package(url: "{url(name)}", from: "{version}"),\n' for name, version, _ in PACKAGES)
    products = "".join(
        f'        .product(name: "{product}", package: "{name.split("/")[1]}"),\n'
        for name, _, products in PACKAGES for product in products)
    return f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "rowcast", path: "{ROOT}"),
{dependencies}  ],
  targets: [
    .executableTarget(
      name: "server",
      dependencies: [
        .product(name: "Rowcast", package: "rowcast"),
{products}      ])
  ])
"""


def build(folder):
    sources = os.path.join(folder, "Sources/server")
    os.makedirs(sources, exist_ok=True)
    with open(PAGE, encoding="utf-8") as page:
        code = "\n".join(FENCE.findall(page.read()))
    with open(os.path.join(folder, "Package.swift"), "w", encoding="utf-8") as file:
        file.write(manifest())
    with open(os.path.join(sources, "Page.swift"), "w", encoding="utf-8") as file:
        file.write(code)
    shutil.copy(os.path.join(ROOT, "Tests/Frameworks/main.swift"), sources)
    # Neither the demo nor tests are built.
    environment = {**os.environ, "ROWCAST_TESTED": "none"}
    return subprocess.run(["swift", "run", "--package-path", folder, "server"], env=environment, check=False).returncode


def main():
    missing = unreachable()
    if missing:
        print(f"frameworks: SKIPPED, cannot reach {', '.join(missing)}")
        return 0
    if len(sys.argv) > 1:
        return build(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        return build(folder)


sys.exit(main())
