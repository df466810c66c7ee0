"""What a person expects of `demo` in a terminal, tried in a real pseudo-terminal.

    python3 Tests/Terminal/terminal_tests.py [path of the demo executable] [name of a test …]

Each subject has its file. `ROWCAST_LONG=1` makes the runs under load as long as they are meant to be.
"""

import glob
import os
import sys
import unittest

if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments and os.path.exists(arguments[0]):
        os.environ["DEMO"] = os.path.abspath(arguments.pop(0))
    folder = os.path.dirname(os.path.abspath(__file__))
    files = (os.path.basename(path)[:-3] for path in sorted(glob.glob(os.path.join(folder, "*_tests.py"))))
    modules = [name for name in files if name != "terminal_tests"]
    sys.path.insert(0, folder)
    patterns = [option for name in arguments for option in ([name] if name.startswith("-") else ["-k", name])]
    unittest.main(module=None, argv=["terminal_tests", *patterns, *modules])
