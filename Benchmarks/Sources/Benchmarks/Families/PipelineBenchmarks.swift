import Foundation
import Siesta

/// Bodies on their way through the pipeline, beside bare decoding of the same bytes on a thread of the same kind.
@MainActor
func pipelineBenchmarks() -> [Benchmark] {
    [1, 64, 1024].flatMap { kilobytes in
        let body = json(bytes: kilobytes * 1024)
        let size = kilobytes < 1024 ? "\(kilobytes) KB" : "1 MB"
        return [
            bare("pipeline/bare JSONSerialization, \(size)", kilobytes) {
                try JSONSerialization.jsonObject(with: body)
            },
            loads("pipeline/load, JSONSerialization, \(size)", kilobytes, body) { makeService($0) },
            bare("pipeline/bare JSONDecoder, \(size)", kilobytes) {
                try JSONDecoder().decode([Item].self, from: body)
            },
            loads("pipeline/load, JSONDecoder, \(size)", kilobytes, body) { network in
                let service = Service(baseURL: "http://a.test/api", standardTransformers: [], networking: network)
                service.configureTransformer("/**") { try JSONDecoder().decode([Item].self, from: $0.content as Data) }
                return service
            },
        ]
    } + handOverBenchmarks()
}

/// The way to the thread that parses, and back: loads of 1 KB of JSON, beside parsing it on the calling thread.
@MainActor
private func handOverBenchmarks() -> [Benchmark] {
    let body = json(bytes: 1024)
    let decoding = ResponseContentTransformer { (entity: Entity<Data>) in
        try JSONDecoder().decode([Item].self, from: entity.content)
    }
    return [1, 16, 1000].flatMap { number in
        handOver("parse 1 KB", body, number, JSONResponseTransformer()) { makeService($0) }
            + handOver("parse 1 KB with code of the app", body, number, decoding) { network in
                let service = Service(baseURL: "http://a.test/api", standardTransformers: [], networking: network)
                service.configure("/**") { $0.pipeline[.model].add(decoding) }
                return service
            }
    }
}

/// As many results are in memory on both sides: an allocation takes longer if others are between the free ones.
@MainActor
private func handOver(
    _ work: String, _ body: Data, _ number: Int, _ transformer: any ResponseTransformer,
    _ make: (InlineNetwork) -> Service
) -> [Benchmark] {
    let response = Response.success(Entity<Any>(content: body, contentType: "application/json"))
    let bare = Benchmark("pipeline/\(work), \(number) kept", isReference: true, batch: number, counted: nil) { count in
        var kept = [Response?](repeating: nil, count: number)
        for index in 0..<count { kept[index % number] = transformer.process(response) }
        keep(kept)
    }
    let loads = concurrentLoads(
        "pipeline/\(work), loads, \(number) at a time", beside: bare, body, number, make)
    return [bare, loads]
}

/// Keeps so many loads in flight, each of another resource. A hook starts the next load: an `await` for each would measure how
/// the runtime resumes a task of the main actor, which takes two more threads.
@MainActor
private func concurrentLoads(
    _ name: String, beside reference: Benchmark, _ body: Data, _ number: Int, _ make: (InlineNetwork) -> Service
) -> Benchmark {
    let service = make(InlineNetwork(contentType: "application/json", body: body))
    let resources = (0..<number).map { service.resource("/json/\($0)") }
    return Benchmark(name, beside: reference.name, batch: number, counted: nil) { count in
        await load(resources, count)
    }
}

/// Loads each resource again when it is loaded, until there were so many loads.
@MainActor
private func load(_ resources: [Resource], _ count: Int) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        var (started, completed) = (0, 0)
        @MainActor func start(_ resource: Resource) {
            started += 1
            resource.load().onCompletion { _ in
                completed += 1
                if completed == count { continuation.resume() }
                if started < count { start(resource) }
            }
        }
        for resource in resources.prefix(count) { start(resource) }
    }
}

private struct Item: Decodable, Sendable {
    struct Nested: Decodable, Sendable {
        let score: Double
        let ok: Bool
    }

    let id: Int
    let name: String
    let tags: [String]
    let nested: Nested
}

private func json(bytes: Int) -> Data {
    let item = #"{"id": 1234, "name": "resource", "tags": ["a", "b"], "nested": {"score": 1.5, "ok": true}}"#
    let count = max(1, bytes / (item.utf8.count + 2))
    return Data(("[" + Array(repeating: item, count: count).joined(separator: ", ") + "]").utf8)
}

/// Decodes in one block on a background thread.
@MainActor
private func bare(_ name: String, _ kilobytes: Int, _ decode: @escaping @Sendable () throws -> Any) -> Benchmark {
    Benchmark(name, isReference: true, counted: repetitions(kilobytes)) { count in
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                for _ in 0..<count { keep(try? decode()) }
                DispatchQueue.main.async { continuation.resume() }
            }
        }
    }
}

/// Loads one after the other, each to its end.
@MainActor
private func loads(
    _ name: String, _ kilobytes: Int, _ body: Data, _ make: (InlineNetwork) -> Service
) -> Benchmark {
    let resource = make(InlineNetwork(contentType: "application/json", body: body)).resource("/json")
    let reference = name.replacing("load,", with: "bare")
    return Benchmark(name, beside: reference, counted: repetitions(kilobytes)) { count in
        await load([resource], count)
        precondition(resource.latestError == nil, "The pipeline could not read the JSON.")
    }
}

/// How often to decode where instructions are counted: more than 1 KB would take long, and say about Foundation what is
/// not asked.
private func repetitions(_ kilobytes: Int) -> Int? { kilobytes > 1 ? nil : 200 }
