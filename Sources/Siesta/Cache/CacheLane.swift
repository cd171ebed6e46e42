import Dispatch
import Foundation

/// Does what one resource asks of its caches: off the main thread, one thing after the other.
///
/// The caches' own queues may be concurrent; the order of a resource's reads, writes and removals is kept here, or by a
/// storage.
@MainActor
final class CacheLane {
    /// A stage's cache as one resource sees it.
    struct Place: Sendable {
        let stage: Int
        let entry: any CacheEntry
        /// Which request's answer is stored there; 0 if it is only read.
        var turn = 0
    }

    private let lane = WorkLane()
    private var lastTurn = 0
    private var writtenTurn = 0

    /// What was found for a resource.
    struct Hit {
        let entity: Entity<Any>
        /// Of which headers of a request the stored response depends.
        let vary: String?
    }

    /// The places of `resource` in the caches of `processing`, in the order of the stages.
    static func places(
        of resource: Resource, in processing: ResponseProcessing, requestHeaders: @MainActor () -> [String: String]
    ) -> [Place] {
        guard processing.hasCache else { return [] }
        return processing.stages.enumerated().compactMap { index, stage in
            stage.cache?.entry(for: resource, requestHeaders: requestHeaders).map { Place(stage: index, entry: $0) }
        }
    }

    /// The places for the answer to a request that is made now.
    func takeTurn(_ places: [Place]) -> [Place] {
        lastTurn += 1
        return places.map { Place(stage: $0.stage, entry: $0.entry, turn: lastTurn) }
    }

    /// Looks for the resource's entity, last stage first, and hands on what the later stages make of the first one that
    /// they accept; nil if there is none. The completion runs on the main actor.
    func read(
        _ places: [Place], processing: ResponseProcessing, completion: @escaping @MainActor (Hit?) -> Void
    ) {
        Self.findFirst(in: places[...], processing, lane: lane) { hit in
            MainQueue.async { completion(hit.value) }
        }
    }

    /// Stores what the stages made of a response, unless what answers a later request is there already.
    func write(_ outputs: [ResponseProcessing.CacheableOutput], to places: [Place]) {
        for place in places where place.turn >= writtenTurn {
            writtenTurn = place.turn
            guard let output = outputs.first(where: { $0.stage == place.stage }) else { continue }
            place.entry.write(output, on: lane)
        }
    }

    /// Notes that the stored entities were confirmed to be current at `timestamp`: those with `validator`, if it is
    /// known.
    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, in places: [Place]) {
        for place in places { place.entry.updateTimestamp(timestamp, of: validator, on: lane) }
    }

    /// Removes the stored entities.
    func remove(_ places: [Place]) {
        for place in places { place.entry.remove(on: lane) }
    }

    private nonisolated static func findFirst(
        in places: ArraySlice<Place>, _ processing: ResponseProcessing, lane: WorkLane,
        _ completion: @escaping @Sendable (UncheckedTransfer<Hit?>) -> Void
    ) {
        guard let place = places.last else { return completion(UncheckedTransfer(nil)) }
        place.entry.read(on: lane) { stored in
            if let stored = stored.value, let entity = accepted(stored, from: place, processing) {
                return completion(UncheckedTransfer(Hit(entity: entity, vary: stored.header(forKey: "Vary"))))
            }
            findFirst(in: places.dropLast(), processing, lane: lane, completion)
        }
    }

    /// What the stages that follow make of a stored entity.
    private nonisolated static func accepted(
        _ stored: Entity<Any>, from place: Place, _ processing: ResponseProcessing
    ) -> Entity<Any>? {
        switch processing.process(stored, after: place.stage) {
        case .success(let entity):
            SiestaLog.log(.cache, ["Hit in the cache of stage", place.stage])
            return entity
        case .failure(let error):
            SiestaLog.log(.cache, ["Later stages refuse the hit in the cache of stage", place.stage, error])
            return nil
        }
    }
}
