import Dispatch
import Foundation

/// Reads and changes the caches of one resource off the main thread, one operation after another.
///
/// The queues of the caches may be concurrent. Therefore the lane, or a storage, keeps the order of a resource's reads,
/// writes and removals.
@MainActor
final class CacheLane {
    /// The place of one resource in the cache of one stage.
    struct Place: Sendable {
        let stage: Int
        let entry: any CacheEntry
        /// The number of the request whose response is stored in this place; 0 if the place is only read.
        var number = 0
    }

    let lane: WorkLane
    private var lastNumber = 0
    private var lastWritten = 0
    /// The selecting headers of the last read for another variant than that of the data.
    var lastVariant: [String: String]?

    init(_ lane: WorkLane = WorkLane()) {
        self.lane = lane
    }

    /// True if no operation waits or runs.
    var isIdle: Bool { lane.isIdle }

    /// Calls `action` after the operations that were added so far.
    func afterAll(_ action: @escaping @Sendable () -> Void) { lane.async(on: .global(), action) }

    /// The places of `resource` in the caches of `processing`, in the order of the stages.
    static func places(
        of resource: Resource, in processing: ResponseProcessing, requestHeaders: @MainActor () -> [String: String]
    ) -> [Place] {
        guard processing.hasCache else { return [] }
        return processing.stages.enumerated().compactMap { index, stage in
            stage.cache?.entry(for: resource, requestHeaders: requestHeaders).map { Place(stage: index, entry: $0) }
        }
    }

    /// Returns the places for the response to a new request.
    func numbered(_ places: [Place]) -> [Place] {
        lastNumber += 1
        return places.map { Place(stage: $0.stage, entry: $0.entry, number: lastNumber) }
    }

    /// Returns the places for an entity that replaces what is stored now, and that a running request may replace.
    func numberedAsLast(_ places: [Place]) -> [Place] {
        places.map { Place(stage: $0.stage, entry: $0.entry, number: lastWritten) }
    }

    /// Reads the resource's entity. Reads the cache of the last stage first. The completion receives the first entity
    /// that the following stages accept, processed by these stages; nil if there is no such entity. It runs on the main
    /// actor.
    func read(
        _ places: [Place], processing: ResponseProcessing, completion: @escaping @MainActor (CacheHit?) -> Void
    ) {
        Self.findFirst(in: places[...], processing, lane: lane) { hit in
            MainQueue.async { completion(hit.value) }
        }
    }

    /// Stores the stages' outputs of a response, unless the response to a later request was stored before.
    func write(_ outputs: [CacheableOutput], to places: [Place]) {
        for place in places where place.number >= lastWritten {
            lastWritten = place.number
            guard let output = outputs.first(where: { $0.stage == place.stage }) else { continue }
            place.entry.write(output, on: lane)
        }
    }

    /// Records that the server has confirmed the stored entities now, with these new headers. If `validator` is not nil,
    /// changes only entities with this validator.
    func confirm(
        _ validator: Validator?, updating headers: [String: String], _ cachingInfo: CachingInfo?, in places: [Place]
    ) {
        let confirmation = CacheConfirmation(
            timestamp: SiestaClock.active.wallTime, validator: validator, headers: headers, cachingInfo: cachingInfo)
        for place in places { place.entry.confirm(confirmation, on: lane) }
    }

    /// Removes the stored entities. The responses to earlier requests than that of a place are not stored any more.
    func remove(_ places: [Place]) {
        for place in places {
            lastWritten = max(lastWritten, place.number)
            place.entry.remove(on: lane)
        }
    }

    private nonisolated static func findFirst(
        in places: ArraySlice<Place>, _ processing: ResponseProcessing, lane: WorkLane,
        _ completion: @escaping @Sendable (UncheckedSendable<CacheHit?>) -> Void
    ) {
        guard let place = places.last else { return completion(UncheckedSendable(nil)) }
        let clock = SiestaClock.active
        place.entry.read(on: lane) { stored in
            clock.whileCalling {
                if let hit = stored.value.flatMap({ hit($0, from: place, processing) }) {
                    return completion(UncheckedSendable(hit))
                }
                findFirst(in: places.dropLast(), processing, lane: lane, completion)
            }
        }
    }

    private nonisolated static func hit(
        _ stored: Entity<Any>, from place: Place, _ processing: ResponseProcessing
    ) -> CacheHit? {
        let vary = stored.header(forKey: "Vary")
        guard let body = stored.content as? ErrorBody else {
            return accepted(stored, from: place, processing).map {
                CacheHit(entity: $0, stage: place.stage, vary: vary)
            }
        }
        let error = RequestError(stored: stored, body)
        // The body comes from the server, so that all stages process it.
        guard case .failure(let result) = processing.process(.failure(error), hasNoContent: false).response else {
            return nil
        }
        return CacheHit(entity: stored, stage: place.stage, vary: vary, error: result)
    }

    /// Processes a stored entity by the stages after its own stage; returns nil if they reject it.
    private nonisolated static func accepted(
        _ stored: Entity<Any>, from place: Place, _ processing: ResponseProcessing
    ) -> Entity<Any>? {
        switch processing.process(stored, after: place.stage) {
        case .success(let entity):
            SiestaLog.log(.cache, ["Hit in the cache of stage", place.stage])
            return entity
        case .failure(let error):
            SiestaLog.log(.cache, ["A later stage failed for the entity from the cache of stage", place.stage, error])
            return nil
        }
    }
}
