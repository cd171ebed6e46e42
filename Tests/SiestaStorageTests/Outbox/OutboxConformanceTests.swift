import CacheTorture
import Foundation
import OutboxTorture
import SiestaCaches
import SiestaOutboxStorage
import TestKit
import Testing

/// The requirements on stores of outboxes, checked on the stores of this module.
@Suite(.timeLimit(.model))
struct OutboxConformanceTests {
    @Test func `A folder does what stores of outboxes have to do`() async throws {
        let violations = try await OutboxStoreConformance.violations(.plain) { place, _ in
            RecordOutboxStore.files(at: place)
        }
        #expect(violations.isEmpty)
    }

    @Test func `A sealed folder does what stores of outboxes have to do`() async throws {
        let violations = try await OutboxStoreConformance.violations(.sealed) { place, key in
            RecordOutboxStore.files(at: place, sealing: TestSealing(key: key == .own ? 7 : 8))
        }
        #expect(violations.isEmpty)
    }

    @Test func `The memory does what stores of outboxes have to do`() async throws {
        let violations = try await OutboxStoreConformance.violations(.memory) { _, _ in RecordOutboxStore.inMemory() }
        #expect(violations.isEmpty)
    }
}
