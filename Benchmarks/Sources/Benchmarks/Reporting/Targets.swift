import Measuring

/// What the core is meant to cost at most, on an unloaded core of a common machine where no reference row is named.
let targets = [
    Target(
        "existing resource by path",
        [.ratio("lookup/resource(path), existing", atMost: 2.5, "Dictionary look-up of the URL")]),
    Target(
        "new resource, configured",
        [
            .value("lookup/resource(path), new", atMost: 1500, "1.5 µs"),
            .allocations("lookup/resource(path), new", atMost: 2, "2 allocations"),
        ]),
    Target(
        "loadIfNeeded() when fresh",
        [
            .ratio("freshness/loadIfNeeded, fresh", atMost: 2, "monotonic clock read"),
            .allocations("freshness/loadIfNeeded, fresh", atMost: 0, "no allocation"),
        ]),
    Target(
        "event to 10 000 object observers",
        [.ratio("observers/objects: event to 10 000, each", atMost: 1.5, "loop over weak references")]),
    Target(
        "add + remove, 10 000 observers present",
        [
            .value("observers/objects: add and remove, 10 000 present", atMost: 400, "0.4 µs"),
            .ratio(
                "observers/objects: add and remove, 10 000 present",
                to: "observers/objects: add and remove, 100 present", atMost: 1.5,
                "with 100 present"),
        ]),
    Target(
        "load through the inline stub, Data",
        [
            .value("load/inline stub, Data", beyond: byHandName, atMost: 3000, "3 µs beyond doing it by hand"),
            .allocations("load/inline stub, Data", beyond: byHandName, atMost: 12, "12 allocations beyond that"),
            .measured("load/inline stub, Data", "one hop"),
        ]),
    Target(
        "load with a valid credential",
        [
            .value(
                "load/inline stub, Data, with a credential", beyond: "load/inline stub, Data", atMost: 1000,
                "1 µs beyond a load without"),
            .allocations(
                "load/inline stub, Data, with a credential", beyond: "load/inline stub, Data", atMost: 3,
                "3 allocations beyond that"),
        ]),
    Target(
        "pipeline, 1 MB of JSON",
        [
            .ratio("pipeline/load, JSONSerialization, 1 MB", atMost: 1.05, "bare JSONSerialization"),
            .ratio("pipeline/load, JSONDecoder, 1 MB", atMost: 1.05, "bare JSONDecoder"),
        ]),
    Target(
        "JSON to dictionaries",
        [
            .ratio("json/tree, one object of 1 KB", atMost: 1 / 2, "JSONSerialization"),
            .ratio("json/tree, list of 17 KB", atMost: 1 / 3.5, "JSONSerialization"),
            .ratio("json/tree, list of 0.9 MB", atMost: 1 / 3.5, "JSONSerialization"),
        ]),
    Target(
        "JSON to structs",
        [
            .ratio("json/decode, structs, 17 KB", atMost: 1 / 3, "JSONDecoder"),
            .ratio("json/decode, structs, 0.9 MB", atMost: 1 / 3, "JSONDecoder"),
            .ratio("json/decode, structs, snake case, 0.9 MB", atMost: 1 / 8, "JSONDecoder"),
            .ratio("json/decode, a failure, 1 KB", atMost: 1.3, "JSONDecoder"),
            .ratio("json/decode, a failure in the first object, 17 KB", atMost: 1.3, "JSONDecoder"),
            .ratio("json/decode, a failure in the last object, 17 KB", atMost: 1.3, "JSONDecoder"),
            .ratio("json/decode, a text cut off, 17 KB", atMost: 1.3, "JSONDecoder"),
        ]),
    Target(
        "request bodies in JSON",
        [
            .ratio("json/encode, structs, 17 KB", atMost: 1 / 2, "JSONEncoder"),
            .ratio("json/encode, structs, 0.9 MB", atMost: 1 / 2, "JSONEncoder"),
            .ratio("json/write, tree, 17 KB", atMost: 1 / 2, "JSONSerialization"),
            .ratio("json/write, tree, 0.9 MB", atMost: 1 / 2, "JSONSerialization"),
        ]),
    Target(
        "way to the thread that parses, and back",
        [1, 16, 1000].flatMap { number in
            [("parse", "in a hook"), ("decode", "by hand")].map {
                .value(
                    "pipeline/\($0) 1 KB, loads, \(number) at a time",
                    beyond: "pipeline/\($0) 1 KB, \($1), \(number) at a time", atMost: 15_000, "15 µs beyond that")
            }
        }),
    Target(
        "idle resource, configured",
        [
            .value(
                "memory/idle resource, configured", beyond: "memory/URL string alone", atMost: 320,
                "320 B besides URL"),
            .value(
                "memory/idle resource, configured", beyond: "memory/idle resource", atMost: 1,
                "configuration shared"),
        ]),
    Target(
        "retry decision",
        [
            .value(
                "retry/failed load, decided by a policy", beyond: "retry/failed load", atMost: 1000,
                "1 µs beyond a failed load")
        ]),
    Target("polled resource", [.value("memory/polled resource", atMost: 100, "100 B")]),
    Target("object observer", [.value("memory/object observer", atMost: 64, "64 B")]),
    Target("request in flight", [.value("memory/request in flight, all of one resource", atMost: 700, "700 B")]),
    Target(
        "100 000 in use over a limit of 2 048",
        [
            // The same work, as the counts of instructions show, on memory that no cache holds any longer.
            .ratio("churn/all in use, last 1 000 of 100 000", atMost: 2, "first 1 000 over the limit")
        ]),
]
