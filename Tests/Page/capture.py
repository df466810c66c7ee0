"""Takes a picture of the page of a recording, for the README.

    python3 Tests/Page/capture.py OUT.png [position]

    python3 Tests/Page/capture.py Sources/Rowcast/Rowcast.docc/Resources/page.png 111

Records `.build/debug/demo feed --seed 7` (or $DEMO), writes its page and opens that, at an update, in a headless browser.
"""

import os
import subprocess
import sys
import tempfile

import browser
import recordings

DEMO = os.path.abspath(os.environ.get("DEMO", ".build/debug/demo"))

# One step, and all that moves by it stopped halfway; in one breath, so that no time passes between them.
STEP = """{
  for (const one of document.getAnimations()) one.finish();
  document.getElementById("forth").click();
  for (const one of document.getAnimations()) {
    one.pause();
    one.currentTime = one.effect.getComputedTiming().endTime / 2;
  }
}"""


def capture(output, position):
    with tempfile.TemporaryDirectory() as folder:
        recording, page = os.path.join(folder, "feed.jsonl"), os.path.join(folder, "feed.html")
        recordings.feed(DEMO, recording)
        subprocess.run([DEMO, "replay", recording, "--html", page, "--quiet"], check=True)
        chromium = browser.Browser()
        try:
            tab = chromium.open(page, f"#{position - 4}", size=(1280, 800))
            # A few steps, so that what happened lately is marked, up to the middle of a move.
            tab.evaluate("document.getElementById('follow').click()")
            for _ in range(4):
                tab.evaluate(STEP)
            tab.screenshot(output)
        finally:
            chromium.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not browser.executable():
        sys.exit("a browser is needed: apt-get install chromium")
    capture(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 110)
