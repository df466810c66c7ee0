"""The browser module as Swift literals, so that a server can serve it without files.

    python3 Tests/Page/literal.py            compares the literals with the files
    python3 Tests/Page/literal.py --write    writes them anew
"""

import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/RowcastBrowser")
OUTPUT = os.path.join(FOLDER, "BrowserModule.swift")

HEAD = '''/// The module `rowcast.js`, for a server that serves it from its program.
///
/// A server sends ``source`` with the type `text/javascript`. It mirrors a list over server-sent events or a WebSocket, and shows it
/// in a document.
///
/// This file is made from `rowcast.js` and `rowcast.d.ts` beside it: `python3 Tests/Page/literal.py --write`.
public enum BrowserModule {
'''
MEMBERS = [
    ("source", "rowcast.js", "The module, as text."),
    ("types", "rowcast.d.ts", "Its types for TypeScript, `rowcast.d.ts`, as text."),
]


def literal(name, file, comment):
    with open(os.path.join(FOLDER, file), encoding="utf-8") as opened:
        text = opened.read()
    if '"""#' in text or "\\#" in text:
        sys.exit(f"ci: {file} has what ends a literal, or an escape of one")
    # The last line end is text, too.
    lines = [f"    {line}" if line else "" for line in text.split("\n")]
    return f'  /// {comment}\n  public static var {name}: String {{\n    #"""\n' + "\n".join(lines) + '\n    """#\n  }\n'


text = HEAD + "\n".join(literal(*member) for member in MEMBERS) + "}\n"
if "--write" in sys.argv:
    with open(OUTPUT, "w", encoding="utf-8") as file:
        file.write(text)
else:
    with open(OUTPUT, encoding="utf-8") as file:
        if file.read() != text:
            sys.exit("ci: BrowserModule.swift is not made from rowcast.js: python3 Tests/Page/literal.py --write")
