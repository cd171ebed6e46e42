"""Makes the cases of .ci/cache-differential, and compares the results with those of hishel.

    cache-differential.py generate CASES COUNT SEED
    cache-differential.py compare CASES RESULTS LIST

Each kind of difference is a correction of hishel by the text of an RFC. A difference is explained if hishel with all corrections
decides as the library does. It counts for each kind without which the corrected hishel decides differently. The list is a table
whose rows begin with the names of the kinds. The script fails if a difference is not explained, if a kind is not in the list, or
if a kind of the list does not occur in 20 000 cases.
"""

import collections
import json
import random
import re
import sys
import uuid
from email.utils import formatdate

REFERENCE = 978307200  # 1 January 2001 in Unix time
NOW = 1730882977  # Wed, 06 Nov 2024 08:49:37 GMT


# --- Cases ---


def date(random, seconds):
    text = formatdate(seconds, usegmt=True)
    form = random.random()
    if form < 0.85:
        return text
    if form < 0.9:
        return text.replace("GMT", random.choice(["UTC", "AEST", "+0100", "gmt"]))
    day, month, year, time = text[5:7], text[8:11], text[12:16], text[17:25]
    if form < 0.95:
        names = {"Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Fri": "Friday",
                 "Sat": "Saturday", "Sun": "Sunday"}
        return f"{names[text[:3]]}, {day}-{month}-{year[2:]} {time} GMT"
    return random.choice([f"{text[:3]} {month} {day.lstrip('0').rjust(2)} {time} {year}", "0", "-1", "soon", ""])


def number(random):
    return random.choice(["0", "1", "5", "30", "60", "60", "3600", "86400", "2147483648", "99999999999"]
                         + (["x", "-1", "", "1.5", '"60"', "'60'", "60a"] if random.random() < 0.2 else []))


RESPONSE = [
    lambda r: "max-age=" + number(r), lambda r: "max-age=" + number(r), lambda r: "s-maxage=" + number(r),
    lambda r: "no-cache", lambda r: 'no-cache="set-cookie"', lambda r: "no-store", lambda r: "private",
    lambda r: 'private="x-a, x-b"', lambda r: "public", lambda r: "must-revalidate", lambda r: "proxy-revalidate",
    lambda r: "must-understand", lambda r: "immutable", lambda r: "stale-while-revalidate=" + number(r),
    lambda r: "stale-if-error=" + number(r), lambda r: "extension", lambda r: 'x="max-age=1, no-store"',
    lambda r: r.choice(["max-age =60", "max-age= 60", "max-age", "no-store x", "public x", "no-store=1", 'x="open', "@",
                        "private=", "no-cache=", 'no-cache=""', "MAX-AGE=30", "No-Store", "no-cache =x"]),
]
REQUEST = [
    lambda r: "max-age=" + number(r), lambda r: "max-stale=" + number(r), lambda r: "max-stale",
    lambda r: "min-fresh=" + number(r), lambda r: "no-cache", lambda r: "no-store", lambda r: "only-if-cached",
    lambda r: "stale-if-error=60", lambda r: "extension",
]


def directives(random, kinds, most):
    parts = [random.choice(kinds)(random) for _ in range(random.randint(1, most))]
    return random.choice([", ", ", ", ",", " ,\t"]).join(parts)


def request(random):
    fields = {}
    if random.random() < 0.25:
        fields["cache-control"] = directives(random, REQUEST, 2)
    if random.random() < 0.05:
        fields["pragma"] = random.choice(["no-cache", "x", "x, no-cache"])
    if random.random() < 0.2:
        fields["authorization"] = "Bearer x"
    if random.random() < 0.7:
        fields["accept"] = random.choice(["a/b", "a/b", "a/b, c/d", "a/b,c/d", "c/d, a/b", "A/B"])
    if random.random() < 0.3:
        fields["foo"] = random.choice(["1", "1, 2", "1,2", '"1, 2"', '"1,2"', "2"])
    return fields


def case(random):
    fields = {}
    arrival = NOW + random.choice([0, 0.25, 0.75])
    if random.random() < 0.8:
        fields["cache-control"] = directives(random, RESPONSE, 4)
    if random.random() < 0.7:
        fields["date"] = date(random, NOW + random.choice([0, 0, 0, 0, -1, -30, -3600, 40, 10**8]))
    if random.random() < 0.5:
        fields["expires"] = date(random, NOW + random.choice([-60, -1, 0, 1, 30, 60, 3600, 10**9]))
    if random.random() < 0.4:
        fields["last-modified"] = date(random, NOW - random.choice([-60, 0, 5, 100, 600, 36000, 10**6, 10**8]))
    if random.random() < 0.3:
        fields["age"] = random.choice(["0", "10", "50", "3600", "-1", "x", "10, 20", "99999999999", "5.5", " 7 "])
    if random.random() < 0.3:
        fields["vary"] = random.choice(["accept", "Accept", "foo", "accept, foo", "*", "accept, *", "", "a b", "x"])
    if random.random() < 0.1:
        fields["content-location"] = "/"
    if random.random() < 0.2:
        fields["etag"] = '"a"'
    first = request(random)
    return {
        "shared": random.random() < 0.5,
        "method": random.choice(["GET"] * 12 + ["HEAD", "POST", "PUT", "get"]),
        "status": random.choice([200] * 10 + [203, 204, 206, 301, 302, 304, 308, 404, 405, 410, 418, 429, 500, 503, 599, 103]),
        "request": first,
        "response": fields,
        "newRequest": first if random.random() < 0.4 else request(random),
        "requestTime": arrival - random.choice([0, 0, 0, 0.5, 2, 45, -10]) - REFERENCE,
        "responseTime": arrival - REFERENCE,
        "now": arrival + random.choice([0, 0.5, 1, 4, 10, 29, 31, 59, 61, 100, 4000, 10**6, 10**9, -5, -10**6]) - REFERENCE,
    }


def generate(path, count, seed):
    source = random.Random(seed)
    with open(path, "w") as file:
        for _ in range(count):
            file.write(json.dumps(case(source)) + "\n")


# --- Corrections of hishel ---

TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]"
STRICT = re.compile(
    r"(?i)(?:(?P<long>Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday), \d\d-(?P<m1>[a-z]{3})-\d\d TIME GMT"
    r"|(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), \d\d [a-z]{3} \d{4} TIME GMT"
    r"|(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) [a-z]{3} (?:\d\d| \d) TIME \d{4})".replace("TIME", r"\d\d:\d\d:\d\d"))


class Corrections:
    """The functions of hishel, and what replaces them for the kinds that are on."""

    def __init__(self):
        import hishel
        from hishel._core import _headers, _spec
        from hishel._utils import parse_date
        self.hishel, self.spec, self.headers = hishel, _spec, _headers
        self.original = {name: getattr(_spec, name) for name in
                         ("get_age", "get_freshness_lifetime", "get_heuristic_freshness", "vary_headers_match", "parse_cache_control")}
        self.original["parse_date"] = parse_date
        self.clock = type("Clock", (), {"time": lambda _: self.case["now"] + REFERENCE})()
        _spec.time = self.clock
        self.cache = {}

    # RFC 9110 §5.6.7, RFC 9111 §4.2
    def parse_date(self, text):
        if "dates" in self.on and not STRICT.fullmatch(text.strip(" \t")):
            return None
        return self.original["parse_date"](text)

    # RFC 9111 §5.2, §1.2.2 and §4.2.1
    def parse_cache_control(self, value):
        if "directives" not in self.on:
            return self.original["parse_cache_control"](value)
        control = self.headers.CacheControl()
        rest, is_open = value or "", False
        names = {"no-cache": [], "private": []}
        while rest := rest.lstrip(" \t,"):
            part = re.match(r'(?:"(?:[^"\\]|\\.)*"|[^,"])*', rest).group()
            if not is_open and part != rest and rest[len(part)] == '"':
                is_open = True
                part += rest[len(part):].split(",")[0]
            elif is_open:
                part = rest.split(",")[0]
            rest = rest[len(part):]
            self.add(control, part.strip(" \t"), is_open, names)
        for name, fields in names.items():
            if fields and not getattr(control, name.replace("-", "_")):
                setattr(control, name.replace("-", "_"), fields)
        return control

    def add(self, control, text, is_open, names):
        name = re.match(TOKEN + "*", text).group()
        rest, name = text[len(name):], name.lower()
        match = re.fullmatch(r'=(?:"((?:[^"\\]|\\.)*)"|(' + TOKEN + r"*))", rest)
        valid = not is_open and (rest == "" or match is not None)
        argument = None if not match else match.group(1) if match.group(1) is not None else match.group(2)
        seconds = min(int(argument), 2**31) if valid and argument and re.fullmatch("[0-9]+", argument) else None
        key = name.replace("-", "_")
        if name in ("max-age", "s-maxage"):
            setattr(control, key, min(seconds or 0, getattr(control, key) if getattr(control, key) is not None else 2**31))
        elif name in ("stale-while-revalidate", "stale-if-error", "max-stale"):
            if name == "max-stale" and valid and argument is None:
                seconds = 2**31
            if seconds is not None:
                setattr(control, key, min(seconds, getattr(control, key) if getattr(control, key) is not None else 2**31))
        elif name == "min-fresh":
            control.min_fresh = max(control.min_fresh or 0, 2**31 if seconds is None else seconds)
        elif name in names:
            fields = [field.strip(" \t").lower() for field in (argument or "").split(",") if field.strip(" \t")]
            if valid and fields and all(re.fullmatch(TOKEN + "+", field) for field in fields):
                names[name] += fields
            else:
                setattr(control, key, True)
        elif name in ("public", "immutable", "must-understand"):
            if valid:
                setattr(control, key, True)
        elif name in ("no-store", "must-revalidate", "proxy-revalidate", "only-if-cached"):
            setattr(control, key, True)

    # RFC 9111 §4.2.3
    def get_age(self, response):
        original = self.original["get_age"](response)
        if not self.on & {"age", "date-missing", "clock-back"}:
            return original
        case, age = self.case, original
        generated = self.parse_date(response.headers.get("date", ""))
        if generated is None and "date-missing" in self.on:
            age = max(0, case["now"] - case["responseTime"])
        if "age" in self.on:
            arrived = case["responseTime"] + REFERENCE
            apparent = max(0, int(arrived) - generated) if generated is not None else 0
            first = response.headers.get("age", "").split(",")[0].strip(" \t")
            stated = min(int(first), 2**31) if re.fullmatch("[0-9]+", first) else 0
            initial = max(apparent, stated + max(0, case["responseTime"] - case["requestTime"]))
            resident = max(0, case["now"] - case["responseTime"])
            age = initial + (resident if generated is not None or "date-missing" in self.on else 0)
        if "clock-back" in self.on and case["now"] < case["responseTime"]:
            age = float("inf")
        return age

    # RFC 9111 §4.2.2
    def get_heuristic_freshness(self, response):
        if "heuristic-status" in self.on:
            control = self.parse_cache_control(response.headers.get("cache-control"))
            if response.status_code not in (*self.spec.HEURISTICALLY_CACHEABLE_STATUS_CODES, 206) and not control.public:
                return None
        if "heuristic-time" not in self.on:
            return self.original["get_heuristic_freshness"](response)
        modified = self.parse_date(response.headers.get("last-modified", ""))
        if modified is None:
            return None
        generated = self.parse_date(response.headers.get("date", ""))
        start = self.case["responseTime"] + REFERENCE if generated is None else generated
        return int(min(86400, max(0, start - modified) * 0.1))

    # RFC 9111 §4.2.1
    def get_freshness_lifetime(self, response, shared):
        now = self.case["now"]
        if "expires-time" in self.on and self.parse_date(response.headers.get("date", "")) is None:
            control = self.parse_cache_control(response.headers.get("cache-control"))
            explicit = control.max_age is not None or (shared and control.s_maxage is not None)
            if "expires" in response.headers and not explicit:
                expires = self.parse_date(response.headers["expires"])
                return -1 if expires is None else int(expires - (self.case["responseTime"] + REFERENCE))
        return self.original["get_freshness_lifetime"](response, shared)

    # RFC 9111 §4.1
    def vary_headers_match(self, request, entry):
        if "vary" not in self.on:
            return self.original["vary_headers_match"](request, entry)
        members = [name.strip(" \t").lower() for name in entry.response.headers.get("vary", "").split(",")]
        names = [name for name in members if name]
        if any(name == "*" or not re.fullmatch(TOKEN + "+", name) for name in names):
            return False
        return all(self.normalized(request, name) == self.normalized(entry.request, name) for name in names)

    def normalized(self, request, name):
        value = request.headers.get(name)
        if value is None:
            return None
        parts = re.findall(r'"(?:[^"\\]|\\.)*"|[^"]+', value)
        text = "".join(part if part[0] == '"' else re.sub(r"[ \t]*,[ \t]*", ",", part) for part in parts)
        return text.lower() if name.startswith("accept") else text

    # --- Decisions ---

    def decide(self, case, on):
        """The decisions of hishel with these corrections: is the response stored, and can it be used for the new request?"""
        self.case, self.on = case, frozenset(on)
        for name in self.original:
            setattr(self.spec, name, getattr(self, name))
        request = self.hishel.Request(case["method"], "https://x.test/", headers=self.hishel.Headers(case["request"]))
        again = self.hishel.Request(case["method"], "https://x.test/", headers=self.hishel.Headers(case["newRequest"]))
        response = self.hishel.Response(case["status"], headers=self.hishel.Headers(case["response"]))
        options = {"shared": case["shared"], "allow_stale": False, "supported_methods": ["GET", "HEAD"]}
        miss = self.spec.CacheMiss(request=request, options=options).next(response)
        stores = self.corrected_store(isinstance(miss, self.spec.StoreAndUse), response)
        entry = self.hishel.Entry(uuid.UUID(int=0), replace_method(request, "GET"), response)
        state = self.spec.IdleClient(options=options).next(replace_method(again, "GET"), [entry])
        uses = isinstance(state, self.spec.FromCache)
        return stores, stores and self.corrected_use(uses, response, again, entry)

    def corrected_store(self, stores, response):
        case, status = self.case, self.case["status"]
        control = self.parse_cache_control(case["response"].get("cache-control"))
        asked = self.parse_cache_control(case["request"].get("cache-control"))
        if "method-case" in self.on and case["method"] == "get":
            return False
        if "post" in self.on and case["method"] == "POST" and "content-location" in case["response"]:
            explicit = "expires" in case["response"] or control.max_age is not None
            explicit = explicit or (case["shared"] and control.s_maxage is not None)
            stores = explicit and self.decide_again({**case, "method": "GET"}, "post")
        if "must-understand" in self.on and control.must_understand:
            if status in (418, 599):
                return False
            if control.no_store:
                # Without the directive no-store, hishel applies all its other rules.
                without = re.sub(r"(?i)no-store", "x-ignored", case["response"]["cache-control"])
                changed = {**case, "response": {**case["response"], "cache-control": without}}
                stores = self.decide_again(changed, "must-understand")
        if "rfc6585" in self.on and status == 429:
            return False
        if "request-no-store" in self.on and asked.no_store:
            return False
        return stores

    def decide_again(self, case, kind):
        """Is a changed case stored, without one of the corrections?"""
        original, on = self.case, self.on
        stores = self.decide(case, on - {kind})[0]
        self.case, self.on = original, on
        return stores

    def corrected_use(self, uses, response, again, entry):
        case = self.case
        control = self.parse_cache_control(case["response"].get("cache-control"))
        asked = self.parse_cache_control(case["newRequest"].get("cache-control"))
        lifetime = self.get_freshness_lifetime(response, case["shared"])
        age = self.get_age(response)
        matches = self.vary_headers_match(again, entry)
        forced = asked.no_cache is True
        if "pragma" in self.on and "cache-control" not in case["newRequest"]:
            pragma = [part.strip(" \t").lower() for part in case["newRequest"].get("pragma", "").split(",")]
            forced = forced or "no-cache" in pragma
        forbidden = control.no_cache is True or control.must_revalidate
        forbidden = forbidden or (case["shared"] and (control.proxy_revalidate or control.s_maxage is not None))
        if forced:
            return False
        if "request-age" in self.on:
            if uses and asked.min_fresh is not None and (lifetime or 0) - age < asked.min_fresh:
                uses = False
            if uses and asked.max_age is not None and age > asked.max_age and not control.immutable:
                uses = False
        if uses or not matches or forbidden or asked.min_fresh is not None:
            return uses
        staleness = age - max(0, lifetime or 0)
        if staleness < 0 or (lifetime is not None and age < lifetime):
            return False
        window = control.stale_while_revalidate or 0
        if "stale-while-revalidate" in self.on and 0 < window and staleness <= window and asked.max_age is None:
            return True
        if "max-stale" in self.on and asked.max_stale is not None and (asked.max_age is None or age <= asked.max_age):
            return asked.max_stale == 2**31 or staleness <= asked.max_stale
        return False


def replace_method(request, method):
    request.method = method
    return request


KINDS = [
    "age", "clock-back", "date-missing", "dates", "directives", "expires-time", "heuristic-status", "heuristic-time", "max-stale",
    "method-case", "must-understand", "post", "pragma", "request-age", "request-no-store", "rfc6585", "stale-while-revalidate", "vary",
]


def compare(cases, results, listed):
    corrections = Corrections()
    counts, unexplained, differences, total = collections.Counter(), [], 0, 0
    for case, result in zip(map(json.loads, open(cases)), map(json.loads, open(results)), strict=True):
        total += 1
        may_use = result["verdict"] == "fresh" or result["verdict"].startswith("stale")
        ours = result["stores"], result["stores"] and result["matches"] and may_use
        if corrections.decide(case, KINDS) != ours:
            unexplained.append((case, result, corrections.decide(case, KINDS), corrections.decide(case, [])))
        elif corrections.decide(case, []) != ours:
            differences += 1
            for kind in KINDS:
                if corrections.decide(case, [other for other in KINDS if other != kind]) != ours:
                    counts[kind] += 1
    for case, result, corrected, original in unexplained[:10]:
        print(json.dumps(case), f"\n  library {result}\n  hishel {original}, corrected {corrected}", file=sys.stderr)
    names = set(re.findall(r"(?m)^\| `([a-z0-9-]+)`", open(listed).read()))
    print(f"{total} cases, {differences} differences:", ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())))
    problems = [f"{len(unexplained)} differences without an explanation"] if unexplained else []
    problems += [f"not listed: {kind}" for kind in sorted(set(counts) - names)]
    if total >= 20000:
        problems += [f"listed, but does not occur: {kind}" for kind in sorted(names - set(counts))]
    if problems:
        sys.exit("; ".join(problems))


if __name__ == "__main__":
    if sys.argv[1] == "generate":
        generate(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        compare(*sys.argv[2:])
