import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Plays a sequence through the public interface of the library.
@MainActor
final class SequencePlayer {
    /// The place of the stored responses.
    enum Storage: String, CaseIterable, Sendable {
        /// One service plays all steps, with its data in memory.
        case memory
        /// Each step has a new service, so that all data comes from a persistent cache.
        case persistentCache
        /// One service plays all steps, with its data in memory and in a persistent cache.
        case both
    }

    /// The header fields of the current step.
    private final class Fields {
        var values: [String: String] = [:]
    }

    private let sequence: CacheSequence
    private let clock = TestClock()
    private let origin: ScriptedOrigin
    private let fields = Fields()
    private let cache: PersistentCache?
    private let storage: Storage
    private var service: Service

    init(_ sequence: CacheSequence, _ storage: Storage) throws {
        (self.sequence, self.storage) = (sequence, storage)
        origin = try ScriptedOrigin(clock)
        cache = storage == .memory ? nil : PersistentCache(MemoryRecordStore())
        service = Self.service(origin, clock, fields, cache)
    }

    private static func service(
        _ origin: ScriptedOrigin, _ clock: TestClock, _ fields: Fields, _ cache: PersistentCache?
    ) -> Service {
        let service = clock.whileCurrent { Service(baseURL: origin.address, standardTransformers: []) }
        service.configure { configuration in
            configuration.freshness = .http
            configuration.retryTime = 0
            configuration.headers.merge(fields.values) { $1 }
            if let cache { configuration.pipeline[.rawData].cacheUsing(cache) }
        }
        return service
    }

    /// Plays all steps. Returns the differences from the expected outcomes.
    func play() async throws -> [String] {
        defer { origin.stop() }
        var differences: [String] = []
        for (index, step) in sequence.steps.enumerated() {
            let result = try await play(step, number: index + 1)
            differences += step.outcome.differences(result).map { "step \(index + 1): \($0)" }
        }
        return differences
    }

    private func play(_ step: CacheSequence.Step, number: Int) async throws -> StepResult {
        clock.advance(by: step.pause)
        if step.wallShift != 0 { clock.setWallTime(clock.wallTime + step.wallShift) }
        origin.prepare(step, number: number)
        if storage == .persistentCache, let cache {
            try await cache.storage.flush()
            service = Self.service(origin, clock, fields, cache)
        }
        let resource = service.resource(absoluteURL: "\(origin.address)/thing\(step.place)")
        var result = await self.result(of: step, resource)
        for load in resource.loadRequests { await load.settled() }
        result.requests = origin.requests
        return result
    }

    private func result(of step: CacheSequence.Step, _ resource: Resource) async -> StepResult {
        let isLoad = step.method == "GET" && step.fields["Range"] == nil
        fields.values = isLoad ? step.fields : [:]
        service.invalidateConfiguration()
        do throws(RequestError) {
            guard !isLoad else { return StepResult(try await resource.get()) }
            let request = resource.request(method: step.method) { request in
                for (name, value) in step.fields { request.setValue(value, forHTTPHeaderField: name) }
                if step.method == "POST" || step.method == "PUT" { request.httpBody = Data("request".utf8) }
            }
            return StepResult(try await request.response.response.get())
        } catch {
            return StepResult(error)
        }
    }
}

extension Request {
    /// Waits for the end of a request.
    fileprivate func settled() async { _ = try? await value }
}

extension StepResult {
    fileprivate init(_ entity: Entity<Any>) {
        self.init(
            status: entity.statusCode ?? 0, fields: entity.headers,
            body: String(decoding: entity.content as? Data ?? Data(), as: UTF8.self))
    }

    fileprivate init(_ error: RequestError) {
        if let entity = error.entity { self.init(entity) } else { self.init() }
        status = error.httpStatusCode ?? 0
    }
}
