"""A REST server for tests: Eve, with its data in an SQLite file. Usage: eve-server.py PORT FILE

Eve makes the pages (`_links`, `_meta`), the header `X-Total-Count`, the `ETag`s of rows, and their conditions `If-None-Match` and
`If-Match`. Only the data layer is here, because Eve comes with a layer for MongoDB alone.

`/rows` and `/cards` are lists in pages, sorted by `number`. POST, PATCH, PUT and DELETE work; the last three require `If-Match`. POST to
`/reset` with `{"count": N}` begins again with N rows, with `{"count": N, "resource": "cards"}` with N cards.
"""

import json
import sqlite3
import sys
import threading
from datetime import datetime, timezone

from eve import Eve
from eve.io.base import BaseJSONEncoder, DataLayer
from eve.io.mongo import Validator
from flask import jsonify, request

FILE = sys.argv[2]


class Cursor(list):
    def count(self, with_limit_and_skip=False):
        return len(self)


def encode(document):
    return json.dumps(document, default=lambda value: {"$date": value.timestamp()})


def decode(text):
    return json.loads(
        text,
        object_hook=lambda o: datetime.fromtimestamp(o["$date"], timezone.utc) if set(o) == {"$date"} else o,
    )


class SQLiteData(DataLayer):
    serializers = {}
    json_encoder_class = BaseJSONEncoder

    def init_app(self, app):
        self.lock = threading.Lock()
        self.database = sqlite3.connect(FILE, check_same_thread=False, isolation_level=None)
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS documents (resource TEXT, id INTEGER, number INTEGER, document TEXT, PRIMARY KEY (resource, id))")

    def query(self, text, *values):
        with self.lock:
            return self.database.execute(text, values).fetchall()

    def find(self, resource, req, sub_resource_lookup, perform_count=True):
        count = self.query("SELECT count(*) FROM documents WHERE resource = ?", resource)[0][0]
        size = req.max_results if req and req.max_results else -1
        skip = (req.page - 1) * size if req and req.page > 1 and size > 0 else 0
        rows = self.query(
            "SELECT document FROM documents WHERE resource = ? ORDER BY number, id LIMIT ? OFFSET ?", resource, size, skip)
        return Cursor(decode(row[0]) for row in rows), count

    def find_one(self, resource, req, check_auth_value=True, force_auth_field_projection=False, mongo_options=None, **lookup):
        return self.find_one_raw(resource, **lookup)

    def find_one_raw(self, resource, **lookup):
        rows = self.query(
            "SELECT document FROM documents WHERE resource = ? AND id = ?", resource, int(lookup["_id"]))
        return decode(rows[0][0]) if rows else None

    def insert(self, resource, doc_or_docs):
        documents = doc_or_docs if isinstance(doc_or_docs, list) else [doc_or_docs]
        for document in documents:
            with self.lock:
                last = self.database.execute("SELECT max(id) FROM documents WHERE resource = ?", (resource,)).fetchone()[0]
                document["_id"] = (last or 0) + 1
                self.database.execute(
                    "INSERT INTO documents VALUES (?, ?, ?, ?)",
                    (resource, document["_id"], document.get("number", 0), encode(document)))
        return [document["_id"] for document in documents]

    def change(self, resource, id_, document, original):
        with self.lock:
            changed = self.database.execute(
                "UPDATE documents SET document = ?, number = ? WHERE resource = ? AND id = ? AND document = ?",
                (encode(document), document.get("number", 0), resource, int(id_), encode(original)))
            if changed.rowcount == 0:
                raise self.OriginalChangedError()

    def update(self, resource, id_, updates, original):
        stored = self.stored(resource, id_, original)
        self.change(resource, id_, {**stored, **updates}, stored)

    def replace(self, resource, id_, document, original):
        self.change(resource, id_, {**document, "_id": int(id_)}, self.stored(resource, id_, original))

    def stored(self, resource, id_, original):
        """The document, which must still be the version for which Eve has checked the condition."""
        stored = self.find_one_raw(resource, _id=id_)
        if stored is None or stored["_etag"] != original["_etag"]:
            raise self.OriginalChangedError()
        return stored

    def remove(self, resource, lookup):
        if "_id" in lookup:
            self.query("DELETE FROM documents WHERE resource = ? AND id = ?", resource, int(lookup["_id"]))
        else:
            self.query("DELETE FROM documents WHERE resource = ?", resource)

    def is_empty(self, resource):
        return self.query("SELECT count(*) FROM documents WHERE resource = ?", resource)[0][0] == 0

    def combine_queries(self, query_a, query_b):
        return {**query_a, **query_b}

    def get_value_from_query(self, query, field_name):
        return query[field_name]

    def query_contains_field(self, query, field_name):
        return field_name in query


ROW = {
    "_id": {"type": "integer"},
    "number": {"type": "integer", "required": True},
    "name": {"type": "string"},
}
CARD = {
    **ROW,
    "text": {"type": "string"},
    "parts": {"type": "list", "schema": {"type": "dict", "schema": {"id": {"type": "integer"}, "text": {"type": "string"}}}},
}

settings = {
    "DOMAIN": {
        "rows": {"schema": ROW, "item_url": 'regex("[0-9]+")'},
        "cards": {"schema": CARD, "item_url": 'regex("[0-9]+")'},
    },
    "IF_MATCH": True,
    "ENFORCE_IF_MATCH": True,
    "RESOURCE_METHODS": ["GET", "POST", "DELETE"],
    "ITEM_METHODS": ["GET", "PATCH", "PUT", "DELETE"],
    "PAGINATION_DEFAULT": 10,
    "RENDERERS": ["eve.render.JSONRenderer"],
}

app = Eve(settings=settings, data=SQLiteData, validator=Validator)


@app.route("/reset", methods=["POST"])
def reset():
    from eve.methods.common import document_etag

    resource = request.json.get("resource", "rows")
    app.data.remove(resource, {})
    for number in range(1, request.json["count"] + 1):
        now = datetime.now(timezone.utc).replace(microsecond=0)
        document = {"number": number * 10, "name": f"row {number}", "_updated": now, "_created": now}
        if resource == "cards":
            document |= {"text": "", "parts": [{"id": 1, "text": "one"}, {"id": 2, "text": "two"}]}
        document["_etag"] = document_etag(document)
        app.data.insert(resource, document)
    return jsonify(count=request.json["count"])


app.run(port=int(sys.argv[1]), threaded=True)
