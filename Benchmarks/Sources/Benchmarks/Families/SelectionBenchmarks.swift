import Foundation
import Siesta

private struct Person: Sendable {
    var name: String
    var age: Int
}

/// Parts of a resource: a change of another part costs the observers of a part nothing, however many they are.
@MainActor
func selectionBenchmarks() -> [Benchmark] {
    [
        changes("select/unchanged, 1 observer", observers: 1) { Person(name: "Ada", age: $0) },
        changes("select/unchanged, 1 000 observers", observers: 1_000) { Person(name: "Ada", age: $0) },
        changes("select/changed, 1 observer", observers: 1) { Person(name: $0 & 1 == 0 ? "Ada" : "Bob", age: $0) },
        reads("select/value"),
    ]
}

/// Replaces the content again and again.
@MainActor
private func changes(
    _ name: String, observers: Int, _ content: @escaping @MainActor (Int) -> Person
) -> Benchmark {
    let person = makeService().resource("/person", as: Person.self)
    let owner = NSObject()
    person.content = content(0)
    let selection = person.select(\.name)
    for _ in 0..<observers { selection.addObserver(owner: owner) { keep($1) } }
    return Benchmark(name) { count in
        for number in 1...count { person.content = content(number) }
        keep((owner, selection))
    }
}

@MainActor
private func reads(_ name: String) -> Benchmark {
    let person = makeService().resource("/person", as: Person.self)
    person.content = Person(name: "Ada", age: 36)
    let selection = person.select(\.name)
    return Benchmark(name) { count in
        for _ in 0..<count { keep(selection.value) }
    }
}

/// Loads whose responses are compared with the response before, one after the other, each to its end.
@MainActor
func changeDetectionBenchmarks() -> [Benchmark] {
    let text = #"{"id": 1234, "name": "resource", "tags": ["a", "b"], "nested": {"score": 1.5, "ok": true}}"#
    let body = Data(("[" + Array(repeating: text, count: 11).joined(separator: ", ") + "]").utf8)
    return [
        ("changes/always, the same 1 KB of JSON", ChangeDetection.always),
        ("changes/bytes, the same 1 KB of JSON", .bytes),
    ].map { name, detection in
        let service = makeService(InlineNetwork(contentType: "application/json", body: body))
        reportProgressSeldom(service)
        service.configure { $0.changeDetection = detection }
        let resource = service.resource("/same")
        return Benchmark(name, counted: 200) { count in
            for _ in 0..<count {
                await withCheckedContinuation { continuation in
                    resource.load().onCompletion { _ in continuation.resume() }
                }
            }
        }
    }
}
