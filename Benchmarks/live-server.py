"""The server of Benchmarks/live. Usage: live-server.py PORT

GET `/values/NUMBER` is a value. GET `/events` is a stream: of comments, and after a POST to `/rate/NUMBER` of so many events a second. The
events concern 1 000 values in turn, whose numbers are their types. The data of an event contains the monotonic time at which it was
written, in nanoseconds. GET `/flapping` is a stream that ends after 0.2 seconds. GET `/counts` has the numbers of loads and of streams
so far.
"""

import http.server
import json
import sys
import threading
import time

lock = threading.Lock()
counts = {"loads": 0, "streams": 0}
rate = 0


def count(name):
    with lock:
        counts[name] += 1


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        if self.path == "/events":
            self.begin_stream()
            self.send_events()
        elif self.path == "/flapping":
            self.begin_stream()
            self.wfile.write(b": soon lost\n\n")
            time.sleep(0.2)
        elif self.path == "/counts":
            with lock:
                self.respond(json.dumps(counts))
        else:
            count("loads")
            self.respond('{"value": 0, "sent": 0}')

    def do_POST(self):
        global rate
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        rate = int(self.path.split("/")[-1])
        self.respond("{}")

    def respond(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def begin_stream(self):
        count("streams")
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()

    def send_events(self):
        current, start, sent = 0, 0, 0
        while True:
            if rate != current:
                current, start, sent = rate, time.monotonic_ns(), 0
            if current == 0:
                self.wfile.write(b": idle\n\n")
                time.sleep(0.05)
                continue
            now = time.monotonic_ns()
            due = min((now - start) * current // 1_000_000_000, sent + 1000)
            if due > sent:
                events = (
                    b'id: %d\nevent: %d\ndata: {"value":%d,"sent":%d}\n\n' % (number, number % 1000, number, now)
                    for number in range(sent, due)
                )
                self.wfile.write(b"".join(events))
                sent = due
            time.sleep(0.0005)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request, address):
        pass  # The client has closed a stream.


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
