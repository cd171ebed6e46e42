import Foundation
import Siesta

private struct Person: Sendable {
    var name: String
    var stars: Int
}

/// Pending changes of a resource: each new base is replaced by the base with all of them.
@MainActor
func mutationBenchmarks() -> [Benchmark] {
    [
        Benchmark("mutate/100 edits by hand", isReference: true) { count in
            let edits = (0..<100).map { _ in edit }
            for number in 1...count {
                var person = Person(name: "Ada", stars: number)
                for edit in edits { edit(&person) }
                keep(person)
            }
        },
        newBase("mutate/new base, 0 pending changes", changes: 0, beside: nil),
        newBase("mutate/new base, 100 pending changes", changes: 100, beside: "mutate/100 edits by hand"),
    ]
}

@MainActor private let edit: (inout Person) -> Void = { $0.stars += 1 }

@MainActor
private func newBase(_ name: String, changes: Int, beside reference: String?) -> Benchmark {
    let service = makeService(InlineNetwork(isHolding: true))
    let person = service.resource("/person", as: Person.self)
    person.content = Person(name: "Ada", stars: 0)
    for _ in 0..<changes { person.mutate(.patch, edit: edit) }
    return Benchmark(name, beside: reference) { count in
        for number in 1...count {
            person.resource.overrideLocalContent(with: Person(name: "Ada", stars: number))
        }
        keep(service)
    }
}
