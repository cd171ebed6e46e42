import Foundation
import Siesta

/// Configuration rules, and bodies on their way through the pipeline.
@MainActor
func pipelineBenchmarks() -> [Benchmark] {
    configurationBenchmarks() + [1, 64, 1024].flatMap(jsonBenchmarks)
}

@MainActor
private func configurationBenchmarks() -> [Benchmark] {
    [0, 10, 200].map { rules in
        Benchmark(name: "configuration/new resource, \(rules) rules") { count in
            let service = makeService()
            for index in 0..<rules { service.configure("/folder\(index)/*") { $0.expirationTime = 1 } }
            for index in 0..<count { keep(service.resource("/folder7/\(index)").configuration.expirationTime) }
        }
    }
}

@MainActor
private func jsonBenchmarks(kilobytes: Int) -> [Benchmark] {
    let body = json(bytes: kilobytes * 1024)
    let bare = "pipeline/bare JSONSerialization, \(kilobytes) KB"
    let network = InlineNetwork(headers: ["Content-Type": "application/json"], body: body)
    let resource = makeService(network).resource("/json")
    let limit: (String, Double)? = kilobytes == 1024 ? (bare, 1.05) : nil
    return [
        Benchmark(name: bare, countedRepetitions: 1000 / kilobytes + 1) { count in
            for _ in 0..<count { keep(try? JSONSerialization.jsonObject(with: body)) }
        },
        Benchmark(
            name: "pipeline/load of JSON, \(kilobytes) KB", reference: limit, countedRepetitions: 1000 / kilobytes + 1
        ) { count in
            for _ in 0..<count {
                await withCheckedContinuation { continuation in
                    resource.load().onCompletion { _ in continuation.resume() }
                }
            }
        },
    ]
}

private func json(bytes: Int) -> Data {
    let item = #"{"id": 1234, "name": "resource", "tags": ["a", "b"], "nested": {"score": 1.5, "ok": true}}"#
    let count = max(1, bytes / (item.utf8.count + 2))
    return Data(("[" + Array(repeating: item, count: count).joined(separator: ", ") + "]").utf8)
}
