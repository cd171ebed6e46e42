"""A server for tests that respects `Idempotency-Key`, and that loses responses. Usage: idempotency-server.py PORT

A counter `/counters/NAME` is a list of numbers, empty at first. PATCH with `{"append": N}` adds a number to the end, and PUT with
`{"values": [...]}` replaces the list. The response is the counter, with an `ETag`.

A write with a key that is known gets the response to the first write with this key, and is not applied again. A key that is used for
another write gets 422. Writes without a key are applied each time. After every third write, the server closes the connection without
a response, whether the write was applied now or before.

GET `/counters` returns all counters, sorted by name. GET `/journal` returns all writes in the order in which they arrived. POST to `/reset` begins again.
"""

import json
import socket
import sys
import threading

from flask import Flask, Response, jsonify, request

app = Flask(__name__)
lock = threading.Lock()
counters = {}
responses = {}
journal = []


def document(name, version, values):
    return {"name": name, "version": version, "values": values}


def represent(name, version, values):
    body = json.dumps(document(name, version, values))
    return Response(body, content_type="application/json", headers={"ETag": f'"{name}-{version}"'})


@app.get("/counters")
def read_all():
    with lock:
        return jsonify([document(name, *counters[name]) for name in sorted(counters)])


@app.get("/counters/<name>")
def read(name):
    with lock:
        return represent(name, *counters.get(name, (0, [])))


def apply(name, change):
    version, values = counters.get(name, (0, []))
    values = [*values, change["append"]] if "append" in change else change["values"]
    counters[name] = (version + 1, values)
    return name, version + 1, values


@app.route("/counters/<name>", methods=["PATCH", "PUT"])
def write(name):
    key, body = request.headers.get("Idempotency-Key"), request.get_data(as_text=True)
    with lock:
        fingerprint = [request.method, name, body]
        known = responses.get(key) if key else None
        if known and known[0] != fingerprint:
            return jsonify(error="This key belongs to another write"), 422
        result = known[1] if known else apply(name, json.loads(body))
        if key:
            responses[key] = (fingerprint, result)
        is_lost = len(journal) % 3 == 2
        journal.append({"name": name, "key": key, "body": body, "isApplied": not known, "isLost": is_lost})
    if is_lost:
        request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    return represent(*result)


@app.get("/journal")
def read_journal():
    with lock:
        return jsonify(journal)


@app.post("/reset")
def reset():
    with lock:
        for store in (counters, responses, journal):
            store.clear()
    return "", 204


app.run(port=int(sys.argv[1]), threaded=True)
