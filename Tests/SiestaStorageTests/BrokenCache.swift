import Foundation
import Isolation
import SiestaCore

/// A cache in memory that has one defect, or none.
final class BrokenCache: EntityCache {
    enum Defect: CaseIterable {
        case none, forgetsTimestamps, forgetsHeaders, forgetsCharset, takesQueriesForTheSame, ignoresCase
        case keepsRemoved, keepsFirstWrite, touchesWhatIsNotThere, forgetsContentWhenTouched, ignoresTouches
        case reordersWrites, mixesEntities, roundsTimestamps, dropsEmptyContent, writesLate, optsOut
    }

    private struct State: Sendable {
        var entities: [String: UncheckedSendable<Entity<Any>>] = [:]
        var lastHeaders: [String: String] = [:]
        var delayed: (key: String, entity: UncheckedSendable<Entity<Any>>)?
        var writes = 0
    }

    let defect: Defect
    let workQueue = DispatchQueue(label: "broken cache")
    private let state = Locked(State())

    init(_ defect: Defect) {
        self.defect = defect
    }

    @MainActor func key(for resource: Resource) -> String? {
        switch defect {
        case .takesQueriesForTheSame: String(resource.url.absoluteString.prefix { $0 != "?" })
        case .ignoresCase: resource.url.absoluteString.lowercased()
        case .optsOut: nil
        default: resource.url.absoluteString
        }
    }

    func readEntity(forKey key: String) -> Entity<Any>? {
        state.withLock { $0.entities[key] }?.value
    }

    func writeEntity(_ entity: Entity<Any>, forKey key: String) {
        let changed = UncheckedSendable(damaged(entity))
        state.withLock { state in
            state.writes += 1
            switch defect {
            case .keepsFirstWrite where state.entities[key] != nil: break
            case .dropsEmptyContent where (entity.content as? Data)?.isEmpty == true: break
            case .mixesEntities:
                var mixed = changed.value
                mixed.headers = state.lastHeaders
                state.lastHeaders = entity.headers
                state.entities[key] = UncheckedSendable(mixed)
            case .reordersWrites where state.writes % 10 == 0: state.delayed = (key, changed)
            case .writesLate:
                if let delayed = state.delayed { state.entities[delayed.key] = delayed.entity }
                state.delayed = (key, changed)
            default:
                state.entities[key] = changed
                if let delayed = state.delayed { state.entities[delayed.key] = delayed.entity }
                state.delayed = nil
            }
        }
    }

    func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: String) {
        guard defect != .ignoresTouches else { return }
        let known = readEntity(forKey: key)
        let missing = defect == .touchesWhatIsNotThere ? Entity<Any>(content: Data(), headers: [:]) : nil
        guard var entity = known ?? missing else { return }
        entity.timestamp = timestamp
        if defect == .forgetsContentWhenTouched { entity.content = Data() }
        let changed = UncheckedSendable(entity)
        state.withLock { $0.entities[key] = changed }
    }

    func removeEntity(forKey key: String) {
        guard defect != .keepsRemoved else { return }
        state.withLock { $0.entities[key] = nil }
    }

    private func damaged(_ entity: Entity<Any>) -> Entity<Any> {
        var entity = entity
        switch defect {
        case .forgetsTimestamps: entity.timestamp = 1
        case .roundsTimestamps: entity.timestamp.round()
        case .forgetsHeaders: entity.headers = entity.headers.filter { $0.key == "content-type" }
        case .forgetsCharset: entity.charset = nil
        default: break
        }
        return entity
    }
}
