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
    }

    private let queue = DispatchQueue(label: "Siesta cache lane", qos: .userInitiated)

    /// The places of `resource` in the caches of `processing`, in the order of the stages.
    static func places(of resource: Resource, in processing: ResponseProcessing) -> [Place] {
        guard processing.hasCache else { return [] }
        return processing.stages.enumerated().compactMap { index, stage in
            stage.cache?.entry(for: resource).map { Place(stage: index, entry: $0) }
        }
    }

    /// Looks for the resource's entity, last stage first, and hands on what the later stages make of the first one that
    /// they accept; nil if there is none. The completion runs on the main actor.
    func read(
        _ places: [Place], processing: ResponseProcessing, completion: @escaping @MainActor (Entity<Any>?) -> Void
    ) {
        Self.findFirst(in: places[...], processing, lane: queue) { entity in
            MainQueue.async { completion(entity.value) }
        }
    }

    /// Stores what the stages made of a response.
    func write(_ outputs: [ResponseProcessing.CacheableOutput], to places: [Place]) {
        for place in places {
            guard let output = outputs.first(where: { $0.stage == place.stage }) else { continue }
            place.entry.write(output.entity, on: queue)
        }
    }

    /// Notes that the stored entities were confirmed to be current at `timestamp`: those with `validator`, if it is
    /// known.
    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, in places: [Place]) {
        for place in places { place.entry.updateTimestamp(timestamp, of: validator, on: queue) }
    }

    /// Removes the stored entities.
    func remove(_ places: [Place]) {
        for place in places { place.entry.remove(on: queue) }
    }

    private nonisolated static func findFirst(
        in places: ArraySlice<Place>, _ processing: ResponseProcessing, lane: DispatchQueue,
        _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void
    ) {
        guard let place = places.last else { return completion(UncheckedTransfer(nil)) }
        place.entry.read(on: lane) { stored in
            if let hit = stored.value.flatMap({ accepted($0, from: place, processing) }) {
                return completion(UncheckedTransfer(hit))
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
