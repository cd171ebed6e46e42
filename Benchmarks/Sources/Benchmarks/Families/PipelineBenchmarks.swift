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

/// The way to the thread that parses, and back: loads of 1 KB of JSON, beside loads of bytes that a hook parses. If code of
/// the app parses, it must run in the background; the hook then sends it there.
@MainActor
private func handOverBenchmarks() -> [Benchmark] {
    let body = json(bytes: 1024)
    let decoding = ResponseContentTransformer { (entity: Entity<Data>) in
        try JSONDecoder().decode([Item].self, from: entity.content)
    }
    func bytes(_ network: InlineNetwork) -> Service {
        Service(baseURL: "http://a.test/api", standardTransformers: [], networking: network)
    }
    return [1, 16, 1000].flatMap { number in
        let parsing = Parsing(JSONResponseTransformer(), body, keeping: 2 * number)
        let decodingByHand = Parsing(decoding, body, keeping: 2 * number)
        return [
            concurrentLoads("pipeline/parse 1 KB, in a hook, \(number) at a time", body, number, bytes) {
                parsing.parse($0)
            },
            concurrentLoads("pipeline/parse 1 KB, loads, \(number) at a time", body, number, { makeService($0) }),
            concurrentLoads("pipeline/decode 1 KB, by hand, \(number) at a time", body, number, bytes) {
                decodingByHand.parseInBackground($0)
            },
            concurrentLoads("pipeline/decode 1 KB, loads, \(number) at a time", body, number) { network in
                let service = bytes(network)
                service.configure("/**") { $0.pipeline[.model].add(decoding) }
                return service
            },
        ]
    }
}

/// Parses a response by hand. As many results stay in memory as with loads, where each resource has its old one until the new
/// one arrives: an allocation takes longer if others are between the free ones.
@MainActor
private final class Parsing {
    private struct Unchecked<Value>: @unchecked Sendable {  // One thread uses a value at a time.
        let value: Value
    }

    private let transformer: any ResponseTransformer
    private let response: Response
    private var kept: [Response?]
    private var next = 0

    init(_ transformer: any ResponseTransformer, _ body: Data, keeping number: Int) {
        self.transformer = transformer
        response = .success(Entity<Any>(content: body, contentType: "application/json"))
        kept = [Response?](repeating: nil, count: number)
    }

    func parse(_ completion: @MainActor () -> Void) {
        keep(transformer.process(response))
        completion()
    }

    /// Parses on a global queue.
    func parseInBackground(_ completion: @escaping @MainActor () -> Void) {
        let input = Unchecked(value: (transformer, response))
        DispatchQueue.global(qos: .userInitiated).async {
            let result = Unchecked(value: input.value.0.process(input.value.1))
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self.keep(result.value)
                    completion()
                }
            }
        }
    }

    private func keep(_ result: Response) {
        kept[next] = result
        next = (next + 1) % kept.count
    }
}

/// Keeps so many loads in flight, each of another resource. A hook starts the next load: an `await` for each would measure how
/// the runtime resumes a task of the main actor, which takes two more threads.
///
/// - Parameter finish: what the hook does with the bytes; nil for loads that are parsed.
@MainActor
private func concurrentLoads(
    _ name: String, _ body: Data, _ number: Int, _ make: (InlineNetwork) -> Service, finish: Finish? = nil
) -> Benchmark {
    let service = make(InlineNetwork(contentType: "application/json", body: body))
    let resources = (0..<number).map { service.resource("/json/\($0)") }
    return Benchmark(name, isReference: finish != nil, batch: number, counted: nil) { count in
        await load(resources, count, finish: finish)
    }
}

/// Work after a load, which calls its argument at its end.
private typealias Finish = @MainActor (@escaping @MainActor () -> Void) -> Void

/// Loads each resource again when it is loaded, until there were so many loads.
@MainActor
private func load(_ resources: [Resource], _ count: Int, finish: Finish? = nil) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        var (started, completed) = (0, 0)
        @MainActor func start(_ resource: Resource) {
            started += 1
            resource.load().onCompletion { _ in
                guard let finish else { return end(resource) }
                finish { end(resource) }
            }
        }
        @MainActor func end(_ resource: Resource) {
            completed += 1
            if completed == count { continuation.resume() }
            if started < count { start(resource) }
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
