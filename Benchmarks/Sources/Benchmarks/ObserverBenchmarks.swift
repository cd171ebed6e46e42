import Foundation
import Siesta

@MainActor
private final class Observer: ResourceObserver {
    var count = 0

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        count += 1
    }
}

private struct WeakObserver {
    weak var observer: (any ResourceObserver & AnyObject)?
}

/// Adding, removing and telling observers.
@MainActor
func observerBenchmarks() -> [Benchmark] {
    let service = makeService()
    let crowd = (0..<10_000).map { _ in Observer() }
    let crowded = service.resource("/crowded")
    for observer in crowd { crowded.addObserver(observer) }
    let weakCrowd = crowd.map { WeakObserver(observer: $0) }
    let single = service.resource("/single").addObserver(crowd[0])
    let hundred = service.resource("/hundred")
    for observer in crowd.prefix(100) { hundred.addObserver(observer) }
    let closures = service.resource("/closures")
    let owner = Observer()
    for _ in 0..<10_000 { closures.addObserver(owner: owner) { _, _ in } }
    let entity = Entity<Any>(content: 1, contentType: "a/b")
    let newcomer = Observer()

    /// Tells `size` observers `count` times altogether.
    func notify(_ resource: Resource, _ size: Int) -> @MainActor (Int) async -> Void {
        { count in
            for _ in 0..<count / size { resource.overrideLocalData(with: entity) }
            keep(crowd)
            keep(owner)
        }
    }
    return [
        Benchmark(name: "observers/loop over 10 000 weak references, each", batch: 10_000) { count in
            for _ in 0..<count / 10_000 {
                for element in weakCrowd { element.observer?.resourceChanged(crowded, event: .requested) }
            }
        },
        Benchmark(
            name: "observers/event to 10 000, each",
            reference: ("observers/loop over 10 000 weak references, each", 1.5), batch: 10_000,
            run: notify(crowded, 10_000)),
        Benchmark(name: "observers/event to 100, each", batch: 100, run: notify(hundred, 100)),
        Benchmark(name: "observers/event to 1", run: notify(single, 1)),
        Benchmark(
            name: "observers/event to 10 000 closures, each", batch: 10_000, run: notify(closures, 10_000)),
        Benchmark(name: "observers/add and remove, 10 000 present", limit: 400) { count in
            for _ in 0..<count {
                crowded.addObserver(newcomer)
                crowded.removeObservers(ownedBy: newcomer)
            }
        },
        Benchmark(name: "observers/add and remove a closure") { count in
            for _ in 0..<count {
                single.addObserver(owner: newcomer) { _, _ in }
                single.removeObservers(ownedBy: newcomer)
            }
        },
    ]
}
