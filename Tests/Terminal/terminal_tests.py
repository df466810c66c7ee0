"""What a person expects of `demo` in a terminal, tried in a real pseudo-terminal.

    python3 Tests/Terminal/terminal_tests.py [path of the demo executable] [name of a test …]

Each subject has its file. `ROWCAST_LONG=1` makes the runs under load as long as they are meant to be. Without names, and unless
the runs are long, two files run at once: the programs mostly wait.
"""

import concurrent.futures
import glob
import os
import subprocess
import sys
import unittest


def run(module):
    """Runs the tests of a file in a process of its own."""
    command = [sys.executable, "-m", "unittest", module]
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"{module}: {result.stdout.strip()}", flush=True)
    return result.returncode


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments and os.path.exists(arguments[0]):
        os.environ["DEMO"] = arguments.pop(0)
    # Each file takes the path from here, wherever it runs.
    os.environ["DEMO"] = os.path.abspath(os.environ.get("DEMO", ".build/debug/demo"))
    folder = os.path.dirname(os.path.abspath(__file__))
    # Backwards: the slowest two come first.
    files = (os.path.basename(path)[:-3] for path in sorted(glob.glob(os.path.join(folder, "*_tests.py")), reverse=True))
    modules = [name for name in files if name != "terminal_tests"]
    if not arguments and os.environ.get("ROWCAST_LONG") != "1":
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            sys.exit(1 if any(list(pool.map(run, modules))) else 0)
    sys.path.insert(0, folder)
    patterns = [option for name in arguments for option in ([name] if name.startswith("-") else ["-k", name])]
    unittest.main(module=None, argv=["terminal_tests", *patterns, *modules])
