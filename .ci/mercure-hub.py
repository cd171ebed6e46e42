"""A Mercure hub for tests, with a publisher. Usage: mercure-hub.py PORT

`/books/NAME` is a text that PUT replaces. Its response names the hub, its topic and the last update, as the Mercure protocol describes under
"Discovery". Each PUT publishes the new representation.

The hub is `/.well-known/mercure`. GET subscribes to the parameters `topic`: exact topics, URI templates with one expression, or `*`. A
`Last-Event-ID`, as a header field or as the parameter `lastEventID`, asks for the updates after this one; the response says with the same field
from where on the updates follow without a gap. POST publishes an update with the form fields `topic`, `data`, `id` and `type`.

POST to `/cut` ends all subscriptions. POST to `/forget` removes the history.
"""

import json
import queue
import re
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

HUB = "/.well-known/mercure"
lock = threading.Lock()
books = {}
history = []
subscriptions = []
newest = "earliest"


def matches(selector, topic):
    if selector == "*" or selector == topic:
        return True
    parts = re.split(r"\{[^{}]*\}", selector)
    return len(parts) > 1 and re.fullmatch("[^/]*".join(map(re.escape, parts)), topic) is not None


def publish(topic, data, kind=None, name=None):
    """Sends an update to the subscribers of a topic. The caller has the lock."""
    global newest
    name = name or f"urn:uuid:{uuid.uuid4()}"
    lines = [f"id: {name}"] + ([f"event: {kind}"] if kind else []) + [f"data: {line}" for line in data.split("\n")]
    update = (name, topic, "\n".join(lines) + "\n\n")
    history.append(update)
    newest = name
    for selectors, stream in subscriptions:
        if any(matches(selector, topic) for selector in selectors):
            stream.put(update[2])
    return name


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def respond(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def topic(self, path):
        return f"http://{self.headers['Host']}{path}"

    def represent(self, path):
        return json.dumps({"title": books.get(path, "")})

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == HUB:
            return self.subscribe(parse_qs(url.query))
        with lock:
            link = f'<{HUB}>; rel="mercure"; last-event-id="{newest}", <{self.topic(url.path)}>; rel="self"'
            body = self.represent(url.path).encode()
        self.respond(200, body, Content_Type="application/json", Link=link)

    def do_PUT(self):
        text = json.loads(self.body())["title"]
        with lock:
            books[self.path] = text
            publish(self.topic(self.path), self.represent(self.path))
        self.respond(204)

    def do_POST(self):
        body = parse_qs(self.body().decode())
        with lock:
            if self.path == HUB:
                field = lambda name: body.get(name, [None])[0]
                name = publish(field("topic"), field("data") or "", field("type"), field("id"))
                return self.respond(200, name.encode(), Content_Type="text/plain")
            if self.path == "/cut":
                for _, stream in subscriptions:
                    stream.put(None)
            elif self.path == "/forget":
                history.clear()
        self.respond(204)

    def subscribe(self, query):
        asked = self.headers.get("Last-Event-ID") or query.get("lastEventID", [""])[0]
        selectors, stream = query.get("topic", []), queue.Queue()
        with lock:
            names = [name for name, _, _ in history]
            known = asked in names or asked == newest
            confirmed = asked if known else newest
            start = names.index(asked) + 1 if asked in names else len(history)
            if asked == "earliest":
                confirmed, start = asked, 0
            for _, topic, text in history[start:]:
                if any(matches(selector, topic) for selector in selectors):
                    stream.put(text)
            subscription = (selectors, stream)
            subscriptions.append(subscription)
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            if asked:
                self.send_header("Last-Event-ID", confirmed)
            self.end_headers()
            self.write(":\n")
            while True:
                try:
                    text = stream.get(timeout=1)
                except queue.Empty:
                    text = ":\n"
                self.write(text or "")
                if text is None:
                    return
        except OSError:
            pass
        finally:
            self.close_connection = True
            with lock:
                subscriptions.remove(subscription)

    def write(self, text):
        piece = text.encode()
        self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.flush()


ThreadingHTTPServer.daemon_threads = True
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
