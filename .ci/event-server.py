"""A server for tests that sends server-sent events. Usage: event-server.py PORT

A counter `/counters/NAME` begins at 0. POST increments it. Its representation has the value as `ETag`, and the identifier of the last event as
`Last-Event-ID`. GET `/events` is a stream of all increments: the type of an event is the name of the counter, and the data is its
representation. If the request has a `Last-Event-ID` that is still in the log, the response confirms it, and the stream begins with the next
event; otherwise with the present. A comment is sent each second.

POST to `/cut` ends all streams in the middle of an event. POST to `/forget` removes all events from the log.
"""

import json
import queue
import sys
import threading

from flask import Flask, Response, request

app = Flask(__name__)
lock = threading.Lock()
counters = {}
log = []
last = 0
streams = set()


def represent(name):
    return json.dumps({"name": name, "value": counters.get(name, 0)})


@app.get("/counters/<name>")
def read(name):
    with lock:
        headers = {"ETag": f'"{counters.get(name, 0)}"', "Last-Event-ID": str(last)}
        return Response(represent(name), content_type="application/json", headers=headers)


@app.post("/counters/<name>")
def increment(name):
    global last
    with lock:
        counters[name] = counters.get(name, 0) + 1
        last += 1
        event = (last, f"id: {last}\nevent: {name}\ndata: {represent(name)}\n\n")
        log.append(event)
        for stream in streams:
            stream.put(event[1])
    return "", 204


@app.get("/events")
def events():
    after = request.headers.get("Last-Event-ID", "")
    stream = queue.Queue()
    headers = {"Cache-Control": "no-store"}
    with lock:
        first = log[0][0] if log else last + 1
        if after.isdigit() and first - 1 <= int(after) <= last:
            headers["Last-Event-ID"] = after
            for number, text in log:
                if number > int(after):
                    stream.put(text)
        streams.add(stream)

    def pieces():
        try:
            yield ": hello\n\n"
            while True:
                try:
                    text = stream.get(timeout=1)
                except queue.Empty:
                    text = ": still here\n\n"
                if text is None:
                    yield "id: 1000000\nevent: a\ndata: {"
                    return
                yield text
        finally:
            with lock:
                streams.discard(stream)

    return Response(pieces(), content_type="text/event-stream", headers=headers)


@app.post("/cut")
def cut():
    with lock:
        for stream in streams:
            stream.put(None)
    return "", 204


@app.post("/forget")
def forget():
    with lock:
        log.clear()
    return "", 204


app.run(port=int(sys.argv[1]), threaded=True)
