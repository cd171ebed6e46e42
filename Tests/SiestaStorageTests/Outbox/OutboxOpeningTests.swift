import CacheTorture
import Foundation
import Testing

@testable import Siesta
@testable import SiestaStorage

/// The time to open a large outbox.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OutboxOpeningTests {
    @Test func `10 000 entries are opened in a short time`() async throws {
        let folder = try TestFolder()
        let content = Data("{\"name\": \"Grace\", \"text\": \"\(String(repeating: "x", count: 200))\"}".utf8)
        do {
            let store = RecordOutboxStore.files(at: folder.url)
            let entries = (1...10_000).map { number in
                OutboxEntry.stored(UInt64(number), scope: "scope \(number % 3000)", body: .bytes(content))
            }
            try await store.apply(entries.map { .write($0) })
            let start = ContinuousClock.now
            for number in UInt64(1)...50 { try await store.apply([.write(.stored(number, body: .bytes(content)))]) }
            Soak.report("outbox: a change of 10 000 entries takes \((ContinuousClock.now - start) / 50)")
        }
        var shortest = Duration.seconds(60)
        for _ in 0..<5 {
            let start = ContinuousClock.now
            let contents = try await RecordOutboxStore.files(at: folder.url).load()
            let middle = ContinuousClock.now
            let rules = OutboxRules(contents.entries)
            let end = ContinuousClock.now
            #expect(rules.count == 10_000)
            shortest = min(shortest, end - start)
            Soak.report("outbox: opened 10 000 entries in \(middle - start), and made the rules in \(end - middle)")
        }
        #if DEBUG
        #expect(shortest < .seconds(2))
        #else
        #expect(shortest < .milliseconds(100))
        #endif
    }
}
