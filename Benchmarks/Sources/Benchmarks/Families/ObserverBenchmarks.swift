import Foundation
import Measuring
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

/// The ways to observe: each gets the same rows. A new one is a case, with its reference and how to add it.
private enum ObserverKind: CaseIterable {
    case objects, closures

    /// The loop that does by hand what an event does.
    var reference: String {
        switch self {
        case .objects: "observers/loop over 10 000 weak references"
        case .closures: "observers/loop over 10 000 closures"
        }
    }

    @MainActor
    func add(_ observer: Observer, to resource: Resource) {
        switch self {
        case .objects: resource.addObserver(observer)
        case .closures: resource.addObserver(owner: observer) { _, _ in observer.count += 1 }
        }
    }
}

/// Adding, removing and telling observers.
@MainActor
func observerBenchmarks() -> [Benchmark] {
    let crowd = (0..<10_000).map { _ in Observer() }
    return references(crowd) + ObserverKind.allCases.flatMap { kind in notifying(kind, crowd) + changing(kind, crowd) }
}

@MainActor
private func references(_ crowd: [Observer]) -> [Benchmark] {
    let resource = makeService().resource("/reference")
    let weakCrowd = crowd.map { WeakObserver(observer: $0) }
    let closures = crowd.map { observer in { @MainActor (_: Resource, _: ResourceEvent) in observer.count += 1 } }
    return [
        Benchmark("observers/loop over 10 000 weak references", isReference: true, batch: 10_000, counted: 10_000) {
            count in
            for _ in 0..<count / 10_000 {
                for element in weakCrowd { element.observer?.resourceChanged(resource, event: .requested) }
            }
            keep(crowd)
        },
        Benchmark("observers/loop over 10 000 closures", isReference: true, batch: 10_000, counted: 10_000) { count in
            for _ in 0..<count / 10_000 {
                for closure in closures { closure(resource, .requested) }
            }
        },
    ]
}

/// One event to a number of observers: the cost for each of them.
@MainActor
private func notifying(_ kind: ObserverKind, _ crowd: [Observer]) -> [Benchmark] {
    let entity = Entity<Any>(content: 1, contentType: "a/b")
    return [1, 100, 10_000].map { size in
        Benchmark(
            name: "observers/\(kind): event to \(Figures.whole(Double(size))), each",
            reference: size == 10_000 ? kind.reference : nil, batch: size, counted: max(500, size),
            method: .timed { count in
                let service = makeService()
                let resource = service.resource("/observed")
                for observer in crowd.prefix(size) { kind.add(observer, to: resource) }
                return {
                    for _ in 0..<count / size { resource.overrideLocalData(with: entity) }
                    keep((crowd, service))
                }
            })
    }
}

/// Adding an observer and removing it again, where others are; often enough for what is done once in so many changes.
///
/// Where 100 are present the count depends on their addresses, which change from run to run. Where 10 000 are present it depends on
/// time: each second, the service looks at all of them for released owners. Therefore, a service lives no longer than its sample.
@MainActor
private func changing(_ kind: ObserverKind, _ crowd: [Observer]) -> [Benchmark] {
    [1, 100, 1_000, 10_000].map { size in
        // Their addresses decide which of them collide: many of them give the average, whatever the addresses are in this run.
        let newcomers = (0..<max(100, size)).map { _ in Observer() }
        return Benchmark(
            name: "observers/\(kind): add and remove, \(Figures.whole(Double(size))) present", batch: max(500, size),
            counted: [1, 1_000].contains(size) ? size : nil,
            method: .timed { count in
                let service = makeService()
                let resource = service.resource("/observed")
                for observer in crowd.prefix(size) { kind.add(observer, to: resource) }
                return {
                    for index in 0..<count {
                        kind.add(newcomers[index % newcomers.count], to: resource)
                        resource.removeObservers(ownedBy: newcomers[index % newcomers.count])
                    }
                    await mainQueueTurn()
                    keep((crowd, service))
                }
            })
    }
}
