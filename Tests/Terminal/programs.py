"""Programs of others: built against what the package makes public, and nothing else."""

import glob
import os
import subprocess
import tempfile

from pseudo_terminal import DEMO

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def build(test_case, name, code):
    """Compiles Swift code into an executable, which is there as long as the tests of a class run."""
    folder = tempfile.TemporaryDirectory()
    test_case.addClassCleanup(folder.cleanup)
    source, program = os.path.join(folder.name, "main.swift"), os.path.join(folder.name, name)
    with open(source, "w", encoding="utf-8") as file:
        file.write(code)
    products = os.path.dirname(DEMO)
    # Objects of files that are gone may still be there.
    objects = [
        os.path.join(products, f"{os.path.basename(module)}.build", os.path.basename(path) + ".o")
        for module in glob.glob(os.path.join(ROOT, "Sources/Rowcast*"))
        if not module.endswith(("Testing", "Schedules"))
        for path in glob.glob(os.path.join(module, "**/*.swift"), recursive=True)
    ]
    modules = os.path.join(products, "Modules")
    # Without the package's name: only what is public can be used.
    swiftc = ["swiftc", "-swift-version", "6", "-I", modules, source, *objects, "-o", program]
    run = subprocess.run(swiftc, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        raise AssertionError(run.stdout)
    return program
