"""Takes Darwin's C headers out of the wheel of `ziglang`, which carries them for its own compiler.

    python3 Tests/Apple/headers.py WHEEL FOLDER
"""

import os
import shutil
import sys
import tempfile
import zipfile

HEADERS = "ziglang/lib/libc/include/any-darwin-any"


def take(wheel, folder):
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as place:
        names = [name for name in archive.namelist() if name.startswith(HEADERS + "/")]
        if not names:
            sys.exit(f"{wheel} has no headers of Darwin")
        archive.extractall(place, names)
        # The folder is there when all of it is.
        shutil.move(os.path.join(place, HEADERS), folder)


if __name__ == "__main__":
    take(sys.argv[1], os.path.abspath(sys.argv[2]))
