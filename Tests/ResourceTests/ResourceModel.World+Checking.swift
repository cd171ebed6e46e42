import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles

extension ResourceModel.World {
    // MARK: Observers

    func addObserver(to resource: Resource, isOwned: Bool) {
        let recorder = ObserverRecorder()
        let owner = isOwned ? NSObject() : nil
        resource.addObserver(recorder, owner: owner ?? recorder)
        expect(recorder.events == [.observerAdded], "a new observer is told \(recorder.events)")
        recorder.clear()
        observers.append(Observer(recorder: recorder, owner: owner))
    }

    func removeObserver(of resource: Resource, _ pick: Int) {
        let index = livingObserver(pick)
        resource.removeObservers(ownedBy: observers[index].owner ?? observers[index].recorder)
        expect(observers[index].recorder?.stoppedCount == 1, "a removed observer was not told that it is one")
        observers[index].recorder?.clear()
        observers[index].hasEnded = true
    }

    /// Releases the owner of an observer. An observer without another owner is its own owner.
    func dropObserver(_ pick: Int) {
        let index = livingObserver(pick)
        observers[index].hasEnded = true
        if observers[index].owner != nil {
            observers[index].owner = nil
        } else {
            weak let recorder = observers[index].recorder
            observers[index].recorder = nil
            expect(recorder == nil, "an observer that keeps itself is kept by the resource")
        }
    }

    private func livingObserver(_ pick: Int) -> Int {
        let living = observers.indices.filter { !observers[$0].hasEnded }
        return living[pick % living.count]
    }

    // MARK: Checking

    func check() {
        guard let resource else { return }
        checkState(of: resource)
        checkRequests(of: resource)
        checkObservers()
        expect(outcomes == model.outcomes, "hooks were told \(outcomes) instead of \(model.outcomes)")
        outcomes.removeAll(keepingCapacity: true)
        model.outcomes.removeAll(keepingCapacity: true)
    }

    private func checkState(of resource: Resource) {
        let content = resource.latestData.flatMap(Self.text)
        let failure = resource.latestError.flatMap(Self.kind)
        expect(
            content == model.data?.content, "data is \(content ?? "none") instead of \(model.data?.content ?? "none")")
        expect(
            failure == model.failure?.kind, "error is \(failure ?? "none") instead of \(model.failure?.kind ?? "none")")
        expect(resource.latestData?.etag == model.data?.etag, "etag is \(resource.latestData?.etag ?? "none")")
        expect(resource.isUpToDate == model.isUpToDate, "isUpToDate is \(resource.isUpToDate)")
        expect(
            resource.timestamp == model.timestamp, "timestamp is \(resource.timestamp) instead of \(model.timestamp)")
    }

    private func checkRequests(of resource: Resource) {
        expect(resource.isLoading == model.isLoading, "isLoading is \(resource.isLoading)")
        expect(resource.isRequesting != model.flights.isEmpty, "isRequesting is \(resource.isRequesting)")
        let loads = model.loads.map { ObjectIdentifier(requests[$0.id]) }
        expect(resource.loadRequests.map(ObjectIdentifier.init) == loads, "loadRequests has \(resource.loadRequests)")
        let all = model.flights.map { ObjectIdentifier(requests[$0.id]) }
        expect(resource.allRequests.map(ObjectIdentifier.init) == all, "allRequests has \(resource.allRequests)")
        for flight in model.flights where requests[flight.id].state != .inProgress {
            expect(false, "request \(flight.id) is \(requests[flight.id].state)")
        }
    }

    private func checkObservers() {
        for observer in observers {
            guard let recorder = observer.recorder else { continue }
            let sights = recorder.records.map(Self.sight)
            let expected = observer.hasEnded ? [] : model.sights
            expect(sights == expected, "an observer was told \(sights) instead of \(expected)")
            expect(
                recorder.stoppedCount <= (observer.hasEnded ? 1 : 0),
                "stoppedObserving came \(recorder.stoppedCount) times")
            recorder.clear()
        }
        for sight in model.sights { eventCounts[sight.event, default: 0] += 1 }
        model.sights.removeAll(keepingCapacity: true)
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        guard !condition, mismatch == nil else { return }
        let list = steps.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
        mismatch = "seed \(seed): \(message())\n\(list)"
    }

    // MARK: Reading

    private static func sight(_ record: ObserverRecorder.Record) -> ResourceModel.Sight {
        ResourceModel.Sight(
            event: record.event, content: record.data.flatMap(text), failure: record.error.flatMap(kind),
            isLoading: record.isLoading)
    }

    static func text(_ entity: Entity<Any>) -> String? {
        entity.content as? String ?? (entity.content as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the name of a failure in the model; nil for a cancellation.
    static func kind(_ error: RequestError) -> String? {
        switch error.cause {
        case is RequestError.Cause.RequestCancelled: nil
        case is RequestError.Cause.NoLocalDataFor304: "no local data"
        default: error.httpStatusCode.map(String.init) ?? "timeout"
        }
    }
}
