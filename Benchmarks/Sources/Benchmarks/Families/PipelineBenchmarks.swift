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

/// The way to the thread that parses, and back: loads of 1 KB of JSON, beside parsing it on the calling thread. If code of
/// the app parses, it must run in the background: these loads are also shown beside the same way by hand.
@MainActor
private func handOverBenchmarks() -> [Benchmark] {
    let body = json(bytes: 1024)
    let decoding = ResponseContentTransformer { (entity: Entity<Data>) in
        try JSONDecoder().decode([Item].self, from: entity.content)
    }
    return [1, 16, 1000].flatMap { number in
        let parse = parsing("parse 1 KB", body, number, JSONResponseTransformer())
        let decode = parsing("parse 1 KB with code of the app", body, number, decoding)
        return [
            parse, decode,
            concurrentLoads("pipeline/parse 1 KB, loads, \(number) at a time", beside: parse, body, number) {
                makeService($0)
            },
            byHand("pipeline/parse 1 KB with code of the app, by hand, \(number) at a time", body, number, decoding),
            concurrentLoads(
                "pipeline/parse 1 KB with code of the app, loads, \(number) at a time", beside: decode, body, number
            ) { network in
                let service = Service(baseURL: "http://a.test/api", standardTransformers: [], networking: network)
                service.configure("/**") { $0.pipeline[.model].add(decoding) }
                return service
            },
        ]
    }
}

/// Parses on the calling thread. As many results stay in memory as with loads: an allocation takes longer if others are
/// between the free ones.
@MainActor
private func parsing(_ name: String, _ body: Data, _ number: Int, _ transformer: any ResponseTransformer) -> Benchmark {
    let response = Response.success(Entity<Any>(content: body, contentType: "application/json"))
    return Benchmark("pipeline/\(name), \(number) kept", isReference: true, batch: number, counted: nil) { count in
        var kept = [Response?](repeating: nil, count: number)
        for index in 0..<count { kept[index % number] = transformer.process(response) }
        keep(kept)
    }
}

/// Parses on a global queue, and passes the results to the main queue.
@MainActor
private func byHand(_ name: String, _ body: Data, _ number: Int, _ transformer: any ResponseTransformer) -> Benchmark {
    let response = Response.success(Entity<Any>(content: body, contentType: "application/json"))
    return Benchmark(name, isReference: true, batch: number, counted: nil) { count in
        await withCheckedContinuation { continuation in
            let way = WayByHand(number, count, transformer, response, continuation)
            for index in 0..<min(number, count) { way.start(index) }
        }
    }
}

@MainActor
private final class WayByHand {
    private struct Unchecked<Value>: @unchecked Sendable {  // One thread uses a value at a time.
        let value: Value
    }

    private let count: Int
    private let transformer: any ResponseTransformer
    private let response: Unchecked<Response>
    private let continuation: CheckedContinuation<Void, Never>
    private var kept: [Response?]
    private var (started, completed) = (0, 0)

    init(
        _ number: Int, _ count: Int, _ transformer: any ResponseTransformer, _ response: Response,
        _ continuation: CheckedContinuation<Void, Never>
    ) {
        (self.count, self.transformer, self.continuation) = (count, transformer, continuation)
        self.response = Unchecked(value: response)
        kept = [Response?](repeating: nil, count: number)
    }

    func start(_ index: Int) {
        started += 1
        let (transformer, response) = (Unchecked(value: transformer), response)
        DispatchQueue.global(qos: .userInitiated).async {
            let result = Unchecked(value: transformer.value.process(response.value))
            DispatchQueue.main.async { MainActor.assumeIsolated { self.end(index, result.value) } }
        }
    }

    private func end(_ index: Int, _ result: Response) {
        kept[index] = result
        completed += 1
        if completed == count { continuation.resume() }
        if started < count { start(index) }
    }
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
