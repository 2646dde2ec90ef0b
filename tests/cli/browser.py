"""A browser without a window, driven over a pipe by the Chrome DevTools protocol: https://chromedevtools.github.io/devtools-protocol/"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser_program():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page. Keeps all requests that the page made, and all errors of its scripts."""

    def __init__(self, width=1500, height=1300, timeout=90):
        self.timeout = timeout
        self.folder = tempfile.mkdtemp(prefix="rch_browser_")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        self.requests, self.errors, self.number, self.rest = [], [], 0, b""

        def pipes():  # the protocol uses the descriptors 3 and 4
            os.dup2(to_browser, 253)
            os.dup2(from_browser, 254)
            os.dup2(253, 3)
            os.dup2(254, 4)

        self.process = subprocess.Popen(
            [browser_program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions", "--user-data-dir=" + self.folder,
             "--window-size=%d,%d" % (width, height), "--remote-debugging-pipe", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.folder), start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        target = next(t for t in self.call("Target.getTargets", session=None)["targetInfos"] if t["type"] == "page")
        self.session = None
        self.session = self.call("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True}, None)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def message(self, deadline):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, parameters=None, session=""):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if session == "":
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.timeout
        while True:
            answer = self.message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.note(answer)

    def note(self, event):
        if event.get("method") == "Network.requestWillBeSent":
            self.requests.append(event["params"]["request"]["url"][:200])
        if event.get("method") == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(event["params"]["exceptionDetails"])[:500])
        if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.errors.append(event["params"]["entry"]["text"][:500])

    def value(self, expression):
        """The value of JavaScript, awaited."""
        told = self.call("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True})
        if "exceptionDetails" in told:
            raise RuntimeError("%s: %s" % (expression, json.dumps(told["exceptionDetails"])[:500]))
        return told["result"].get("value")

    def wait_for(self, expression):
        end = time.monotonic() + self.timeout
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError("never true: " + expression)
            time.sleep(0.05)

    def open(self, address):
        self.call("Page.navigate", {"url": "about:blank"})
        self.wait_for("location.href === 'about:blank'")
        self.requests, self.errors = [], []
        self.call("Page.navigate", {"url": address})
        self.wait_for("location.href !== 'about:blank' && ['ready', 'failed'].includes(document.documentElement?.dataset.state)")

    def click(self, selector):
        place = self.value("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});"
                           "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
                           % json.dumps(selector))
        self.click_at(*place)

    def click_at(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})

    def type(self, text):
        self.call("Input.insertText", {"text": text})

    def press(self, key, text=""):
        code = {"Enter": 13, "Tab": 9, "ArrowRight": 39}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", {"type": kind, "key": key, "text": text if kind == "keyDown" else "",
                                                 "windowsVirtualKeyCode": code})

    def screenshot(self, file, whole=False):
        parameters = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            parameters["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", parameters)["data"]))

    def close(self):
        try:
            self.call("Browser.close", session=None)
            self.process.wait(20)
        except (OSError, EOFError, TimeoutError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.folder, ignore_errors=True)
