"""Compiles the package for Apple's targets, on Linux.

    python3 Tests/Apple/apple.py [HEADERS]

HEADERS is a folder of Darwin's C headers. Without it, the stub of Tests/DarwinStub stands in for them.

Of each target of Package.swift that is Swift and no test, the module and its object file (Mach-O) are made, with the settings that
stand there, against the standard library of that target (`interfaces.py`). Those with code for some systems alone are optimised for
macOS, and the one with a system's views for that system: the optimiser looks at no availability, and all other code is optimised on
Linux. ROWCAST_LONG optimises all of them for macOS.
Foundation, Dispatch, UIKit, AppKit and SwiftUI are the stubs of this folder. The code that the articles print for these is checked
against them. Nothing is linked or run.

Last, mistakes are planted, each of which must be refused.
"""

import concurrent.futures
import dataclasses
import glob
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Documentation"))
import interfaces  # noqa: E402
from pages import ROOT, pages, programs, read, source  # noqa: E402

BUILD = os.path.join(ROOT, ".build/apple")
MACH_O = b"\xcf\xfa\xed\xfe"


class Refusal(Exception):
    """What the compiler says about code that it does not accept."""


@dataclasses.dataclass
class Target:
    """A system and the oldest version of it that the package is for."""

    name: str
    triple: str
    platform: str  # As Package.swift names it.
    kits: tuple
    # Where the articles' code is for, which has no availability of its own: SwiftUI observes since then.
    articles: str = ""

    @property
    def folder(self):
        return os.path.join(BUILD, "rooms", self.triple)


LONG = os.environ.get("ROWCAST_LONG") == "1"
# Simulators, but for macOS: availability and code are the same, and Linux has the interfaces of x86_64.
TARGETS = [
    Target("macOS 13", "x86_64-apple-macosx13.0", "macos", ("AppKit", "SwiftUI"), articles="x86_64-apple-macosx14.0"),
    Target(
        "iOS 16", "x86_64-apple-ios16.0-simulator", "ios", ("UIKit", "SwiftUI"), articles="x86_64-apple-ios17.0-simulator"),
]
if LONG:
    TARGETS += [
        Target("tvOS 16", "x86_64-apple-tvos16.0-simulator", "tvos", ("UIKit",)),
        Target("watchOS 9", "x86_64-apple-watchos9.0-simulator", "watchos", ("UIKit",)),
        Target("visionOS 1", "x86_64-apple-xros1.0-simulator", "visionos", ("UIKit", "SwiftUI")),
    ]


@dataclasses.dataclass
class Room:
    """A target of Package.swift."""

    name: str
    needs: list
    flags: list

    @property
    def files(self):
        return sorted(glob.glob(os.path.join(ROOT, "Sources", self.name, "**/*.swift"), recursive=True))

    @property
    def imports(self):
        return {name for path in self.files for name in re.findall(r"^ *(?:\w+ )?import (\w+)$", read(path), re.MULTILINE)}


def holds(condition, platform):
    return not condition or platform in condition.get("platformNames", [platform])


def rooms(platform):
    """The targets of Package.swift that are Swift and no tests, with their flags, as SwiftPM builds them for a platform."""
    found = []
    targets = {target["name"]: target for target in manifest()["targets"]}
    wanted = [name for name in targets if os.path.isdir(os.path.join(ROOT, "Sources", name))]
    for name in wanted:
        needs = []
        for dependency in targets[name]["dependencies"]:
            ((need, condition),) = dependency.values()
            if holds(condition, platform):
                needs.append(need)
        flags = []
        for setting in targets[name]["settings"]:
            if setting["tool"] != "swift" or not holds(setting.get("condition"), platform):
                continue
            ((kind, values),) = setting["kind"].items()
            value = values.get("_0")
            flags += {
                "swiftLanguageMode": ["-swift-version", value],
                "enableUpcomingFeature": ["-enable-upcoming-feature", value],
                "strictMemorySafety": ["-strict-memory-safety"],
                "treatAllWarnings": ["-warnings-as-errors"],
                "define": ["-D", value],
            }[kind]
        found.append(Room(name, needs, flags))
    # What only other platforms need is left out with what it needs.
    reached = {target for product in manifest()["products"] for target in product["targets"]}
    while True:
        more = {need for room in found if room.name in reached for need in room.needs} - reached
        if not more:
            break
        reached |= more
    return [room for room in found if room.name in reached and room.files]


_manifest = None


def manifest():
    global _manifest
    if _manifest is None:
        # A folder of its own, as SwiftPM locks the usual one while something is built there.
        command = ["swift", "package", "--scratch-path", os.path.join(BUILD, "package"), "dump-package"]
        _manifest = json.loads(subprocess.check_output(
            command, cwd=ROOT, env={**os.environ, "ROWCAST_TESTED": "none"}, stderr=subprocess.DEVNULL))
    return _manifest


class Compiler:
    """Compiles for one target."""

    def __init__(self, target, library, headers):
        self.target = target
        stub = os.path.join(ROOT, "Tests/DarwinStub")
        self.search = [
            "-I", library, "-I", target.folder, "-I", os.path.join(HERE, "Darwin") if headers else stub, "-sdk", os.path.join(library, "interfaces"),
        ]
        # After the compiler's own headers, as on Apple's systems.
        self.search += ["-Xcc", "-idirafter", "-Xcc", headers] if headers else []
        self.keys = {}
        self.articles = os.path.join(target.folder, "articles")
        os.makedirs(self.articles, exist_ok=True)
        # As SwiftPM makes it.
        with open(os.path.join(target.folder, "module.modulemap"), "w", encoding="utf-8") as file:
            file.write(f'module CSchedules {{ umbrella "{ROOT}/Sources/CSchedules/include" export * }}\n')

    def frontend(self, mode, module, files, flags, triple=None):
        command = [
            "swiftc", "-frontend", *mode, "-disable-objc-interop", "-target", triple or self.target.triple, *flags, *self.search,
            "-plugin-path", os.path.join(interfaces.toolchain()[0], "host/plugins"), "-module-name", module, "-parse-as-library",
            *files,
        ]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
        if result.returncode:
            raise Refusal(f"{module} for {self.target.name}:\n{result.stdout}")

    def make(self, mode, module, needs, files, flags):
        """Makes a module, unless it was made of the same."""
        parts = [*self.search, *mode, *flags, *(self.keys[need] for need in needs), *files, *map(read, files)]
        self.keys[module] = key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        note = os.path.join(self.target.folder, module + ".key")
        if os.path.exists(note) and read(note) == key:
            return
        self.frontend(mode, module, files, flags)
        with open(note, "w", encoding="utf-8") as file:
            file.write(key)

    def stub(self, module, needs, folder=HERE):
        path = os.path.join(self.target.folder, module + ".swiftmodule")
        files = [os.path.join(folder, module + ".swift")]
        self.make(["-emit-module", "-o", path], module, needs, files, ["-swift-version", "6", "-D", "ALL_REQUIRED"])

    def kit(self, module):
        """The stub of a framework for the articles, whose classes leave out what protocols leave open."""
        path = os.path.join(self.articles, module + ".swiftmodule")
        self.frontend(["-emit-module", "-o", path], module, [os.path.join(HERE, module + ".swift")], ["-swift-version", "6"])

    def room(self, room, needs):
        path = os.path.join(self.target.folder, room.name)
        special = any(re.search(r"^ *#(if|elseif) .*\b(canImport|os)\(", read(path), re.MULTILINE) for path in room.files)
        first = self.target.platform == "macos" and (special or LONG)
        optimiser = "-O" if first or room.imports & set(self.target.kits) else "-Onone"
        mode = ["-c", "-wmo", optimiser, "-emit-module-path", path + ".swiftmodule", "-o", path + ".o"]
        self.make(mode, room.name, needs, room.files, ["-package-name", "rowcast", *room.flags])
        with open(path + ".o", "rb") as file:
            if file.read(4) != MACH_O:
                raise Refusal(f"{path}.o is no object file of Apple's")

    def typecheck(self, module, texts, flags, triple=None):
        """Checks files that stand nowhere, by their names."""
        folder = os.path.join(self.target.folder, f"{module}.{threading.get_ident()}")
        os.makedirs(folder)
        files = []
        for name, text in texts.items():
            files.append(os.path.join(folder, name))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(text)
        try:
            self.frontend(["-typecheck"], module, files, flags, triple)
        finally:
            shutil.rmtree(folder)

    def article(self, program):
        flags = ["-swift-version", "6", "-I", self.articles]
        self.typecheck(program.name, {"Page.swift": source(program)}, flags, self.target.articles)


@dataclasses.dataclass
class Mistake:
    """A change of a room's file that must be refused, or lines at its end."""

    name: str
    room: str
    file: str
    before: str
    after: str
    message: str

    def check(self, compiler, room):
        texts = {os.path.basename(path): read(path) for path in room.files}
        if self.before not in texts[self.file]:
            raise Refusal(f"{self.name} cannot be planted: {self.file} has no “{self.before}”")
        texts[self.file] = texts[self.file].replace(self.before, self.after, 1) if self.before else texts[self.file] + self.after
        try:
            compiler.typecheck(room.name, texts, ["-package-name", "rowcast", *room.flags])
        except Refusal as refusal:
            if self.message not in str(refusal):
                raise Refusal(f"{self.name} is refused for another reason: {refusal}") from refusal
        else:
            raise Refusal(f"{self.name} is not refused for {compiler.target.name}")


MISTAKES = {
    "macOS 13": [
        Mistake(
            "a lock that needs macOS 15", "RowcastStore", "WaiterList.swift", "", "\nimport Synchronization\nlet lock = Mutex(0)\n",
            "'Mutex' is only available in macOS 15.0 or newer"),
        Mistake(
            "a method of a delegate that AppKit does not have", "RowcastUIKit", "OutlineViewSource.swift", "shouldExpandItem item",
            "mayExpandItem item", "protocol 'NSOutlineViewDelegate'"),
    ],
    "iOS 16": [
        Mistake(
            "a method of a data source that UIKit does not have", "RowcastUIKit", "TableViewSource.swift", "commit editingStyle:",
            "committing editingStyle:", "protocol 'UITableViewDataSource'"),
        Mistake(
            "a call that UIKit does not have", "RowcastUIKit", "UITableView+BatchView.swift", "with: .automatic",
            "animated: true", "incorrect argument label"),
        Mistake(
            "a method that a batch view lacks", "RowcastUIKit", "UICollectionView+BatchView.swift", "func moveSection(from",
            "func moveGroup(from", "protocol 'BatchView'"),
        Mistake(
            "a type with a pack of parameters, which needs iOS 17", "RowcastUI", "FlatLayout.swift", "", "\nstruct Pack<each Part> {}\n",
            "only available in iOS 17"),
    ],
}


def run(jobs):
    """Runs jobs, each of which is named and follows others, as many at a time as there are cores."""
    waiting = dict(jobs)
    done, running = set(), {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            while waiting or running:
                for name, (needs, work) in list(waiting.items()):
                    if done.issuperset(needs):
                        running[pool.submit(work)] = name
                        del waiting[name]
                finished, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in finished:
                    done.add(running.pop(future))
                    future.result()
        except Refusal:
            pool.shutdown(cancel_futures=True)
            raise


def library(target):
    """The folder of the standard library's modules for a target, kept for as long as compiler and recipe are the same."""
    recipe = subprocess.check_output(["swiftc", "--version"], stderr=subprocess.STDOUT) + open(interfaces.__file__, "rb").read()
    return os.path.join(BUILD, "library", hashlib.sha256(recipe).hexdigest()[:12], target.triple)


def jobs(target, headers):
    """What is compiled for a target."""
    standard = library(target)
    compiler = Compiler(target, standard, headers)
    name = target.name

    found = {}

    def add(kind, needs, work):
        found[name, kind] = ({(name, need) for need in needs}, work)

    def add_stub(kind, needs, **options):
        add(kind, ["library", *needs], lambda: compiler.stub(kind, needs, **options))

    def add_room(room, needs):
        add(room.name, ["library", *needs], lambda: compiler.room(room, needs))

    add("library", [], lambda: interfaces.make(target.triple, standard))
    add_stub("Darwin", [], folder=os.path.join(ROOT, "Tests/DarwinStub"))
    add_stub("Dispatch", [])
    add_stub("Foundation", ["Darwin"])
    for kit in target.kits:
        add_stub(kit, ["Foundation"])
        add(kit + " of articles", ["Foundation"], lambda kit=kit: compiler.kit(kit))
    here = rooms(target.platform)
    stubs = {"Darwin", "Dispatch", "Foundation", *target.kits}
    known = {room.name for room in here}
    for room in here:
        add_room(room, [*(need for need in room.needs if need in known), *sorted(stubs & room.imports)])
    for mistake in MISTAKES.get(name, []):
        (room,) = [room for room in here if room.name == mistake.room]
        add(mistake.name, [room.name], lambda mistake=mistake, room=room: mistake.check(compiler, room))
    articles = [program for page in pages() for program in programs(page) if program.kit in target.kits] if target.articles else []
    for program in articles:
        # A terminal app further down the page is none for a phone.
        program.blocks = list(itertools.takewhile(lambda block: "import RowcastConsole" not in block.text, program.blocks))
        add(program.name, ["RowcastUIKit", program.kit + " of articles"], lambda program=program: compiler.article(program))
    return found, compiler, here, articles


def main(headers=None):
    begun = time.monotonic()
    all, compiled = {}, []
    for target in TARGETS:
        found, *rest = jobs(target, headers)
        all.update(found)
        compiled.append((target, *rest))
    try:
        run(all)
    except Refusal as refusal:
        sys.exit(str(refusal))
    for target, compiler, here, articles in compiled:
        print(f"apple: compiled for {target.name} ({target.triple}): {' '.join(room.name for room in here)}")
        if articles:
            print(f"apple: checked for {target.articles}: the {' and '.join(target.kits)} code of "
                  + ", ".join(dict.fromkeys(os.path.basename(program.page) for program in articles)))
        for mistake in MISTAKES.get(target.name, []):
            print(f"apple: refused for {target.name}: {mistake.name}")
    print(f"apple: system calls against {'Darwin’s C headers' if headers else 'the stub of Tests/DarwinStub'}; "
          f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main(*(os.path.abspath(path) for path in sys.argv[1:]))
