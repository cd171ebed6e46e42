#if os(Linux)
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestDoubles
import Testing
import Waiting

/// A client of a shared cache: a service whose freshness follows HTTP. Its clock starts at the time of the servers, and
/// advances only when the test says so.
@MainActor
struct SharedCacheApp {
    let clock: TestClock
    let service: Service

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - shift: the error of the client's clock, in seconds.
    ///   - folder: the folder of its persistent cache.
    ///   - clock: the clock of another client of the same device.
    init(
        of cache: SharedCache, shift: TimeInterval = 0, storing folder: TemporaryFolder? = nil,
        clock: TestClock? = nil
    ) {
        let clock = clock ?? TestClock(wallTime: Date.timeIntervalSinceReferenceDate + shift)
        self.clock = clock
        service = clock.whileCurrent { Service(baseURL: cache.address, networking: CurlProvider()) }
        service.configure {
            $0.freshness = .http
            if let folder { $0.pipeline[.rawData].cacheUsing(PersistentCache.file(at: folder.url)) }
        }
    }

    /// Advances the time of the client. The servers have the real time. Therefore, the wall clock of the client returns
    /// to it before the next request.
    func advance(by seconds: TimeInterval) {
        clock.advance(by: seconds)
        clock.setWallTime(Date.timeIntervalSinceReferenceDate)
    }

    /// Asks the shared cache until the age of its response is at least `age` seconds.
    func waitUntilStored(_ path: String, for age: Int) async throws {
        while true {
            let entity = try await service.resource(path).request(.get).completion().entity()
            if let seconds = entity.age, seconds >= age { return }
            try Task.checkCancellation()
            await Moment.after(.milliseconds(50))
        }
    }

    /// Waits until a response is older than `seconds`.
    func waitUntilOlder(_ entity: Entity<Any>, than seconds: TimeInterval) async throws {
        let date = try #require(entity.header(forKey: "Date").flatMap(Self.date))
        try await Poll.until { Date().timeIntervalSince(date) > seconds + 1 }
    }

    /// Writes all entities of the persistent caches.
    func flush() async throws {
        for cache in service.caches { try await cache.flush() }
    }

    private static func date(_ field: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: field)
    }
}

extension Entity {
    /// The `Age` of a response, in seconds.
    var age: Int? { header(forKey: "Age").flatMap { Int($0) } }
}
#endif
