"""Checks a HAR file with independent packages. Then checks that they find defects: a file without a required field, and a file with
secrets."""

import copy
import json
import pathlib
import sys
import tempfile

from har_capture.validation.secrets import validate_har
from haralyzer import HarEntry, HarParser
from hario_core.models import HarLog


def is_valid(har):
    try:
        HarLog.model_validate(har["log"], strict=False)
        return True
    except ValueError as error:
        print(error)
        return False


def secrets(har):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "session.har")
        file.write_text(json.dumps(har))
        return [finding for finding in validate_har(file) if finding.severity == "error"]


def check(condition, message):
    if not condition:
        sys.exit(f"{sys.argv[1]}: {message}")


har = json.loads(pathlib.Path(sys.argv[1]).read_text())
entries = har["log"]["entries"]
check(is_valid(har), "the file does not have the format HAR 1.2")
check(not secrets(har), f"the file contains secrets: {secrets(har)}")
check("s3cret" not in json.dumps(har), "the file contains the secret of the session")
read = [HarEntry(entry) for entry in HarParser(har).har_data["entries"]]
check([entry.response.status for entry in read] == [entry["response"]["status"] for entry in entries], "haralyzer reads other statuses")
check([entry.request.url for entry in read] == [entry["request"]["url"] for entry in entries], "haralyzer reads other URLs")
for entry in entries:
    phases = [max(time, 0) for name, time in entry["timings"].items() if name != "ssl"]
    check(abs(sum(phases) - entry["time"]) < 0.1, f"the times of {entry['request']['url']} do not add up")

broken = copy.deepcopy(har)
del broken["log"]["entries"][0]["request"]["cookies"]
broken["log"]["entries"][0]["timings"]["wait"] = "soon"
print("Two defects that must be found:")
check(not is_valid(broken), "a missing field is not found")
leaking = copy.deepcopy(har)
leaking["log"]["entries"][0]["request"]["headers"].append({"name": "Authorization", "value": "Bearer abcdefghijklmnop123456"})
check(secrets(leaking), "a secret is not found")
print(f"HAR: {len(entries)} entries with all fields of the format, and without secrets.")
