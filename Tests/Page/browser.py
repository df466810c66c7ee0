"""A headless Chromium, driven through the DevTools protocol over a pair of pipes. Needs nothing but Python."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def executable():
    """The path of an installed browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One browser with a profile of its own, which goes when it is closed."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="rowcast-browser-")
        # The browser reads commands from descriptor 3 and writes answers to 4.
        read_commands, self.commands = os.pipe()
        self.answers, write_answers = os.pipe()

        def connect():
            # Both first to free numbers out of the way: either may be 3 or 4 already.
            sources = [fcntl.fcntl(source, fcntl.F_DUPFD_CLOEXEC, 5) for source in (read_commands, write_answers)]
            for number, source in zip((3, 4), sources):
                os.dup2(source, number, inheritable=True)

        self.process = subprocess.Popen(
            [
                executable(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank",
            ],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_answers)
        self.buffer = b""
        self.number = 0
        self.events = []

    def call(self, method, session=None, seconds=60, **parameters):
        """Sends a command and gives back its result. Events that come meanwhile are kept."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while True:
            message = self.receive(seconds)
            if message.get("id") == self.number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def receive(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError("the browser does not answer")
            chunk = os.read(self.answers, 1 << 20)
            if not chunk:
                raise AssertionError("the browser has ended")
            self.buffer += chunk
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def open(self, path, fragment="", **look):
        return Page(self, f"file://{os.path.abspath(path)}{fragment}", **look)

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A page in a tab of its own, with all that it says and asks for noted."""

    def __init__(self, browser, url, size=(1280, 800), dark=False, calm=False, scripts=True):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.resize(*size)
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"},
        ]
        self.call("Emulation.setEmulatedMedia", features=features)
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)
        self.call("Page.setLifecycleEventsEnabled", enabled=True)
        document = self.call("Page.navigate", url=url)
        if "errorText" in document:
            raise AssertionError(f"{url}: {document['errorText']}")
        self.wait_for_event("Page.lifecycleEvent", loaderId=document["loaderId"], name="load")

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def resize(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def evaluate(self, expression):
        """The value of a JavaScript expression, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_for(self, condition, seconds=60):
        """Has the page look, at every frame that it draws, whether a condition holds.

        A page that goes elsewhere meanwhile, and a condition that throws, are errors at once. The deadline is a timer of
        the page: it comes also where no frames are drawn, and whatever the page's clock says.
        """
        self.come_to_front()
        holds = self.evaluate(f"""(async () => {{
          const late = new Promise((done) => setTimeout(done, {seconds * 1000}, "late"));
          while (!({condition})) {{
            if (await Promise.race([late, new Promise(requestAnimationFrame)]) === "late") return false;
          }}
          return true;
        }})()""")
        if not holds:
            raise AssertionError(f"waited in vain for {condition}")

    def wait_for_event(self, method, seconds=20, **parameters):
        """Waits until the browser has told of something that happens to this page."""
        def is_meant(event):
            return event.get("method") == method and event.get("sessionId") == self.session and (
                parameters.items() <= event["params"].items())

        end = time.monotonic() + seconds
        while not any(map(is_meant, self.browser.events)):
            self.browser.events.append(self.browser.receive(end - time.monotonic()))

    def wait_for_frames(self, count):
        """Lets the page draw some frames."""
        self.come_to_front()
        self.evaluate(f"(async () => {{ for (let n = 0; n < {count}; n++) await new Promise(requestAnimationFrame); }})()")

    def come_to_front(self):
        """Shows this page. One behind another draws no frames."""
        self.call("Page.bringToFront")

    def put_clock_forward(self, milliseconds):
        """Has the page's clock say from now on that it is later. Timers and frames come when they would have come."""
        self.evaluate(f"""{{
          const now = performance.now.bind(performance);
          performance.now = () => now() + {milliseconds};
        }}""")

    def press(self, key, code=None, text=None):
        """Presses a key as a person would."""
        details = {"key": key, "code": code or key, "windowsVirtualKeyCode": KEY_NUMBERS.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **details, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **details)

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(image))

    def noted(self, method):
        """The events of one kind that this page caused so far."""
        self.evaluate("0")
        return [
            event["params"] for event in self.browser.events
            if event.get("method") == method and event.get("sessionId") == self.session
        ]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


KEY_NUMBERS = {
    " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9,
    "Enter": 13, "f": 70,
}

if __name__ == "__main__":
    # Says which browser there is; fails if there is none.
    sys.exit(print(executable()) if executable() else 1)
