"""Compiles the code of the documentation and runs it: see `pages.py` for how it is marked.

    python3 Tests/Documentation/examples.py FOLDER [PAGE …]

FOLDER holds what was built, as `swift build --show-bin-path` prints it.
"""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

from pages import HELPERS, ROOT, PageError, file, main, pages, programs, source

# Only what is public can be used: no package name. An example may show a constant that nothing uses.
FLAGS = ["-swift-version", "6", "-wmo"]
SHOWN = re.compile(r"warning: (initialization of immutable value|immutable value|variable) '.*' was never used")
PATIENCE = 60
UPCOMING = [
    word for feature in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")
    for word in ("-enable-upcoming-feature", feature)
]


def run(command, **options):
    result = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, timeout=PATIENCE, **options)
    return result.returncode, result.stdout


class Builder:
    """Compiles programs against the modules of a debug build."""

    def __init__(self, products, folder):
        self.folder = folder
        self.modules = os.path.join(products, "Modules")
        self.imports = ["-Xcc", "-fmodule-map-file=" + os.path.join(products, "CSchedules.build/module.modulemap")]
        toolchain = os.path.dirname(os.path.dirname(os.path.realpath(subprocess.getoutput("command -v swiftc"))))
        self.imports += ["-plugin-path", os.path.join(toolchain, "lib/swift/host/plugins/testing")]
        # Modules of one package trust one another by its name, which a folder of builds has.
        with open(os.path.join(products, "../../debug.yaml"), encoding="utf-8") as file:
            self.package = re.search(r'"-package-name","([^"]*)"', file.read())[1]
        self.manifests = os.path.join(toolchain, "lib/swift/pm/ManifestAPI")
        # Objects of files that are gone may still be there.
        self.objects = [
            os.path.join(products, os.path.basename(module) + ".build", os.path.basename(path) + ".o")
            for module in glob.glob(os.path.join(ROOT, "Sources/*"))
            for path in glob.glob(os.path.join(module, "**/*.swift"), recursive=True)
            + glob.glob(os.path.join(module, "**/*.c"), recursive=True)
        ]

    def stub(self, kit):
        """The stub of a framework, and RowcastUIKit as it is where that framework is, in a folder of their own."""
        folder = os.path.join(self.folder, kit)
        os.makedirs(folder)
        flags = ["-swift-version", "6", "-parse-as-library", "-package-name", self.package, "-I", self.modules, "-I", folder]
        own = glob.glob(os.path.join(ROOT, "Sources/RowcastUIKit/**/*.swift"), recursive=True)
        for name, files in ((kit, [os.path.join("Tests/Apple", kit + ".swift")]), ("RowcastUIKit", own)):
            code, output = run([
                "swiftc", "-emit-module", *flags, *UPCOMING, *self.imports, "-module-name", name, *files,
                "-emit-module-path", os.path.join(folder, name + ".swiftmodule")])
            if code:
                raise PageError(f"{name} with the stub of {kit}:\n{output}")

    def path(self, program, ending):
        return os.path.join(self.folder, program.name + ending)

    def write(self, program, name, text):
        path = self.path(program, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def files(self, program):
        if program.folder is None:
            files = [self.write(program, ".swift", source(program)), *([program.helper] if program.helper else [])]
            return files if program.kit else [*files, self.write(program, ".main.swift", main(program))]
        os.makedirs(self.path(program, ""))
        files = [self.write(program, "/" + os.path.basename(block.path), file(program, block)) for block in program.blocks]
        return [*files, self.write(program, "/runner.swift", main(program))] if program.tests else files

    def compile(self, program):
        files = self.files(program)
        flags = [*FLAGS]
        if not any(os.path.basename(path) in ("main.swift", "Package.swift") for path in files):
            flags.append("-parse-as-library")
        version = re.search(r"// swift-tools-version: ([\d.]+)", program.blocks[0].text)
        if version:
            flags += ["-I", self.manifests, "-package-description-version", version[1]]
        code, output = run([
            "swiftc", *flags, *self.imports, *(["-I", os.path.join(self.folder, program.kit)] if program.kit else []),
            "-I", self.modules,
            "-module-name", program.name, "-c", *files, "-o", self.path(program, ".o")])
        lines = [line for line in output.splitlines() if re.search(r": (error|warning): ", line) and not SHOWN.search(line)]
        if code or lines:
            raise PageError(output)

    def link(self, program):
        testing = ["-lTesting"] if program.tests else []
        code, output = run(["swiftc", self.path(program, ".o"), *self.objects, *testing, "-o", self.path(program, ".out")])
        if code:
            raise PageError(output)

    def check_prints(self, program):
        """Runs the program, and compares what each block has printed."""
        code, output = run([self.path(program, ".out")])
        if program.folder is not None:
            output = "\x01%d\n%s" % (program.blocks[0].number, output)
        parts = re.split(r"^\x01(\d+)\n", output, flags=re.MULTILINE)
        printed = {int(number): text for number, text in zip(parts[1::2], parts[2::2])}
        if code:
            raise PageError(f"ended with {code}:\n{output}")
        for block in program.blocks:
            if block.prints is not None and (found := printed.get(block.number, "")).strip() != block.prints.strip():
                raise PageError(
                    f"line {block.line}: this block prints\n{found}and not, as the page says,\n{block.prints}")

    def check_tests(self, program):
        """Runs the tests of the program: those that must fail one by one, and the rest together."""
        skipped = []
        for block in program.blocks:
            for name in re.findall(r"@Test func (`[^`]+`|\w+)", block.text) if block.fails is not None else ():
                pattern = re.escape(name.strip("`"))
                skipped += ["--skip", pattern]
                code, output = run([self.path(program, ".out"), "--tests", "--filter", pattern])
                if not code or "recorded an issue" not in output or block.fails not in output:
                    raise PageError(f"line {block.line}: {name} does not fail with “{block.fails}”:\n{output}")
        code, output = run([self.path(program, ".out"), "--tests", *skipped])
        # Where all of them fail, none is left.
        if code and not (skipped and "run with 0 tests" in output):
            raise PageError(f"the tests:\n{output}")

    def check(self, program):
        self.compile(program)
        if program.runs or program.tests:
            self.link(program)
        if program.runs:
            self.check_prints(program)
        if program.tests:
            self.check_tests(program)


def check(products, paths):
    failures = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        builder = Builder(os.path.realpath(products), folder)
        found = []
        for page in paths:
            try:
                found += programs(page)
            except PageError as error:
                failures.append((os.path.relpath(page, ROOT), error))
        used = {program.helper for program in found}
        if len(paths) == len(pages()):
            failures += [
                (os.path.relpath(path, ROOT), "a file for no page")
                for path in glob.glob(os.path.join(HELPERS, "*.swift")) if path not in used]
        list(pool.map(builder.stub, sorted({program.kit for program in found if program.kit})))
        checks = [(program, pool.submit(builder.check, program)) for program in found]
        for program, made in checks:
            try:
                made.result()
            except (PageError, subprocess.TimeoutExpired) as error:
                failures.append((os.path.relpath(program.page, ROOT), error))
    for page, error in failures:
        print(f"{page}: {error}", file=sys.stderr)
    blocks = sum(1 for program in found for block in program.blocks if block.number)
    print(f"{blocks} blocks of code on {len(paths)} pages, {len(failures)} failures")
    return not failures


if __name__ == "__main__":
    chosen = [os.path.abspath(path) for path in sys.argv[2:]] or pages()
    sys.exit(0 if check(sys.argv[1], chosen) else 1)
