"""Programs of others: built against what the package makes public, and nothing else."""

import glob
import os
import subprocess

from pseudo_terminal import DEMO

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def build(source, program):
    """Compiles a file of Swift into an executable."""
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
