import Dispatch
import Foundation

/// Reads and changes the caches of one resource, off the main thread, one operation after the other.
///
/// The caches' own queues may be concurrent. The lane, or a storage, keeps the order of a resource's reads, writes and
/// removals.
@MainActor
final class CacheLane {
    /// A stage's cache as one resource sees it.
    struct Place: Sendable {
        let stage: Int
        let entry: any CacheEntry
        /// The number of the request whose response is stored there; 0 if the place is only read.
        var turn = 0
    }

    private let lane = WorkLane()
    private var lastTurn = 0
    private var writtenTurn = 0

    /// An entity that was found for a resource.
    struct Hit {
        let entity: Entity<Any>
        /// The `Vary` header of the stored response.
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

    /// Returns the places for the response to a request that is made now.
    func takeTurn(_ places: [Place]) -> [Place] {
        lastTurn += 1
        return places.map { Place(stage: $0.stage, entry: $0.entry, turn: lastTurn) }
    }

    /// Reads the resource's entity, last stage first. The completion gets the first entity that the later stages
    /// accept, processed by them, or nil if there is none. It runs on the main actor.
    func read(
        _ places: [Place], processing: ResponseProcessing, completion: @escaping @MainActor (Hit?) -> Void
    ) {
        Self.findFirst(in: places[...], processing, lane: lane) { hit in
            MainQueue.async { completion(hit.value) }
        }
    }

    /// Stores the stages' outputs of a response, unless the response to a later request was stored before.
    func write(_ outputs: [ResponseProcessing.CacheableOutput], to places: [Place]) {
        for place in places where place.turn >= writtenTurn {
            writtenTurn = place.turn
            guard let output = outputs.first(where: { $0.stage == place.stage }) else { continue }
            place.entry.write(output, on: lane)
        }
    }

    /// Notes that the server confirmed the stored entities at `timestamp`. If `validator` is known, only entities with
    /// this validator change.
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

    /// Processes a stored entity by the stages that follow; returns nil if they reject it.
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
