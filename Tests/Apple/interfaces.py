"""The modules of Swift's standard library for an Apple target, made from the interfaces that the Linux toolchain ships.

    python3 Tests/Apple/interfaces.py TARGET FOLDER

The interfaces have the availability of each declaration, so code that is compiled against these modules is refused if it uses what
the target's oldest system lacks, as by Apple's compiler. They have none of Objective-C: all that uses them is compiled with
`-disable-objc-interop`.
"""

import json
import os
import re
import shutil
import subprocess
import sys

# In the order in which they import one another.
MODULES = [
    "Swift", "SwiftOnoneSupport", "_Builtin_float", "_Concurrency", "Synchronization", "_RegexParser", "_StringProcessing",
    "Observation",
]
# What an SDK says of its system. Without it, declarations that visionOS has from iOS are refused there, whose versions have other
# numbers.
VISION = {
    "CanonicalName": "xros1.0", "DisplayName": "visionOS 1.0", "Version": "1.0", "MaximumDeploymentTarget": "1.0.99",
    "VersionMap": {"iOS_visionOS": {"17.0": "1.0", "17.1": "1.1", "18.0": "2.0", "26.0": "26.0"}},
}
DECLARATION = re.compile(r"\b(func|var|init|subscript)\b")
BACK_DEPLOYED = re.compile(r"@backDeployed\([^)]*\)")


def toolchain():
    """The folder of the toolchain's Swift files, and the triple that they are for."""
    info = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
    return info["paths"]["runtimeResourcePath"], info["target"]["triple"]


def mended(text, triple, target):
    """An interface of Linux as one of an Apple target."""
    # The flags that the module was compiled with are in its first lines.
    text = text.replace(f"-target {triple}", f"-target {target}", 1)
    # The only thing of the C library that an interface uses is in the lock's code, which nobody calls here.
    text = text.replace("_swift_stdlib_gettid()", "(0 as Swift.UInt32)")
    lines = [line for line in text.split("\n") if line.strip() != "import Glibc"]
    for index, line in enumerate(lines):
        # The attribute needs a body, which the interface leaves out where the attribute means nothing on Linux.
        if "@backDeployed" in line:
            declared = next(line for line in lines[index:] if DECLARATION.search(line))
            if "{" not in declared:
                lines[index] = BACK_DEPLOYED.sub("", line)
    return "\n".join(lines)


def make(target, folder):
    """Makes the modules in a folder that was made whole or is not there. They name their interfaces by path, which so stay there."""
    done = os.path.join(folder, "done")
    if os.path.exists(done):
        return
    shutil.rmtree(folder, ignore_errors=True)
    interfaces = os.path.join(folder, "interfaces")
    os.makedirs(interfaces)
    if "-xros" in target:
        with open(os.path.join(interfaces, "SDKSettings.json"), "w", encoding="utf-8") as file:
            json.dump(VISION, file)
    resources, triple = toolchain()
    for module in MODULES:
        path = os.path.join(resources, f"linux/{module}.swiftmodule/{triple}.swiftinterface")
        with open(path, encoding="utf-8") as file:
            text = mended(file.read(), triple, target)
        interface = os.path.join(interfaces, module + ".swiftinterface")
        with open(interface, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run(
            ["swiftc", "-frontend", "-compile-module-from-interface", interface, "-module-name", module, "-target", target,
             "-disable-objc-interop", "-disable-availability-checking", *(["-parse-stdlib"] if module == "Swift" else []),
             "-I", folder, "-sdk", interfaces, "-o", os.path.join(folder, module + ".swiftmodule")],
            check=True)
    with open(done, "w", encoding="utf-8"):
        pass


if __name__ == "__main__":
    make(*sys.argv[1:])
