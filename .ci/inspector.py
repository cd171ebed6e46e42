"""Drives the page of the inspector in a headless browser, through the DevTools protocol over pipes (no package needed).

Usage: inspector.py DEMO [FOLDER]. DEMO is the program inspector-demo. Writes screenshots to FOLDER if it is given.
"""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

KEYS = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "/": 191}


class Browser:
    """A browser with one page. `--remote-debugging-pipe` uses the descriptors 3 and 4."""

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        command_out, command_in = os.pipe()
        event_out, event_in = os.pipe()

        def install():
            os.dup2(command_out, 98)
            os.dup2(event_in, 99)
            os.dup2(98, 3)
            os.dup2(99, 4)

        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             "--user-data-dir=" + self.profile, "--disable-dev-shm-usage", "about:blank"],
            close_fds=False, preexec_fn=install, stderr=subprocess.DEVNULL)
        os.close(command_out)
        os.close(event_in)
        self.writer, self.reader = os.fdopen(command_in, "wb"), os.fdopen(event_out, "rb")
        self.last, self.session, self.problems = 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def message(self):
        text = bytearray()
        while (byte := self.reader.read(1)) != b"\0":
            if not byte:
                raise SystemExit("The browser has ended.")
            text += byte
        return json.loads(text)

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.writer.write(json.dumps(message).encode() + b"\0")
        self.writer.flush()
        while (answer := self.message()).get("id") != self.last:
            if answer.get("method") == "Runtime.exceptionThrown":
                self.problems.append(answer["params"]["exceptionDetails"].get("exception", {}).get("description"))
            if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.problems.append(answer["params"]["entry"]["text"])
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        return answer["result"]

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, what, script):
        """Waits until the script has a true value. The limit only keeps a failed check from waiting for ever."""
        for _ in range(600):
            if value := self.evaluate(f"(() => {{ try {{ return {script} }} catch (error) {{ return false }} }})()"):
                print("ok:", what, flush=True)
                return value
            time.sleep(0.05)
        raise SystemExit(f"failed: {what}\n{self.evaluate('document.body.innerText')}\n{self.problems}")

    def resize(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def key(self, key):
        parameters = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS.get(key, 0)}
        if len(key) == 1:
            parameters["text"] = key
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in parameters.items() if k != "text"})

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def screenshot(self, path):
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Demo:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def tell(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == "done", command

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def rows():
    return "[...document.querySelectorAll('.row:not([hidden])')].map(row => row.textContent)"


def check(demo, browser, folder):
    browser.resize(1280, 800)
    demo.tell("load users/ada?token=s3cret-in-url")
    browser.call("Page.navigate", url=demo.url)
    browser.until("the page is live", "document.getElementById('status').textContent === 'Live'")
    browser.until("a resource is shown", rows() + ".some(text => text.includes('/users/ada'))")

    demo.tell("load users/grace")
    browser.until("a load appears", rows() + ".some(text => text.includes('/users/grace') && text.includes('fresh'))")
    demo.tell("load missing")
    browser.until("a failure appears", rows() + ".some(text => text.includes('/missing') && text.includes('error'))")

    browser.key("/")
    browser.type("grace")
    browser.until("a filter works", rows() + ".length === 1")
    browser.key("Enter")
    browser.key("Enter")
    browser.until("an explanation is read",
                  "(document.getElementById('explanation') || {}).textContent?.includes('loadIfNeeded()')")
    browser.until("secret members are redacted", "document.getElementById('json').value.includes('<redacted>')")
    browser.key("Escape")
    browser.until("Escape closes the details", "document.getElementById('details').hidden")
    browser.key("Escape")
    browser.until("Escape clears the filter", rows() + ".length === 3")

    if folder:
        browser.key("ArrowDown")
        browser.key("Enter")
        browser.until("details are open", "document.getElementById('explanation') !== null")
        browser.screenshot(os.path.join(folder, "inspector-1280.png"))
        browser.key("Escape")

    browser.click("#tab-network")
    browser.click("#record")
    browser.until("a recording runs", "document.getElementById('record').getAttribute('aria-pressed') === 'true'")
    demo.tell("load users/ada?token=s3cret-in-url")

    browser.click("#tab-origins")
    browser.until("the origin is shown", rows() + ".length === 1")
    browser.click(".row")
    browser.until("the switch is offered", "document.getElementById('fail-origin') !== null")
    browser.click("#fail-origin")
    browser.until("the switch is on", "document.getElementById('fail-origin').textContent.includes('pass')")
    demo.tell("load users/grace")
    browser.click("#tab-requests")
    browser.until("the origin fails", rows() + "[0].includes('503')")
    browser.until("a load has a waterfall", "document.querySelectorAll('.fall i').length > 4")
    browser.click("#tab-log")
    browser.until("the log is shown", rows() + ".some(text => text.includes('/users/grace'))")

    har = json.loads(browser.evaluate("fetch('har').then(response => response.text())"))
    entries = har["log"]["entries"]
    assert har["log"]["version"] == "1.2" and len(entries) == 2, har
    assert [entry["response"]["status"] for entry in entries] == [200, 503], entries
    print("ok: a HAR is saved")
    state = browser.evaluate("fetch('state').then(response => response.text())")
    for place, text in (("state", state), ("HAR", json.dumps(har)), ("page", browser.evaluate("document.body.innerHTML"))):
        assert "s3cret" not in text, f"A secret is in the {place}: {text}"
    print("ok: no secret is shown")

    demo.tell("make 10000")
    browser.click("#tab-resources")
    browser.until("10 000 resources are shown", "document.getElementById('list').getAttribute('aria-label').includes('1000')")
    assert browser.evaluate("document.querySelectorAll('.row').length") < 60
    browser.call("Page.reload")
    browser.until("the page with 10 000 resources is live", "document.getElementById('status').textContent === 'Live'")
    browser.key("End")
    paint = browser.until("the rows are painted", "performance.getEntriesByName('rows')[0]?.startTime")
    print(f"10 000 rows were complete {paint:.0f} ms after the start of the navigation")

    browser.resize(390, 844, dark=True)
    browser.click("#tab-requests")
    browser.until("nothing is wider than a phone",
                  "document.documentElement.scrollWidth <= 390 && document.querySelectorAll('.row').length > 0")
    if folder:
        browser.screenshot(os.path.join(folder, "inspector-390.png"))
    browser.resize(360, 640)
    browser.until("nothing is wider than 360 px", "document.documentElement.scrollWidth <= 360")
    assert not browser.problems, browser.problems


def main():
    demo = Demo(sys.argv[1])
    browser = Browser()
    try:
        check(demo, browser, sys.argv[2] if len(sys.argv) > 2 else None)
    finally:
        browser.close()
        demo.close()


main()
