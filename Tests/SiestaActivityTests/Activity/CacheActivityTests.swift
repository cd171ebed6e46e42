import Foundation
import SiestaActivity
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The events of caches.
@MainActor @Suite(.timeLimit(.test))
struct CacheActivityTests {
    private let network = StubNetwork()

    private func service(_ cache: InMemoryCache) -> Service {
        let service = Service(baseURL: "https://api.test", networking: network)
        service.configure("/user") { $0.pipeline[.rawData].cacheUsing(cache) }
        return service
    }

    @Test func `Reads and writes of caches are events with the stage`() async throws {
        network.answer(.get, "/user", with: .text("Ada"))
        let cache = InMemoryCache()
        let writer = service(cache)
        let activity = writer.activity
        await writer.resource("/user").load().completion()
        let written = await uses(activity, count: 2)
        #expect(Set(written) == ["miss ?", "write rawData"])
        let reader = service(cache)
        let read = reader.activity
        _ = reader.resource("/user").latestData
        #expect(await uses(read, count: 1) == ["hit rawData"])
    }

    private func uses(_ activity: some AsyncSequence<ActivityEvent, Never>, count: Int) async -> [String] {
        var found: [String] = []
        for await event in activity {
            guard case .cache(let operation, let stage, _) = event.kind else { continue }
            found.append("\(operation) \(stage ?? "?")")
            if found.count == count { break }
        }
        return found
    }
}
