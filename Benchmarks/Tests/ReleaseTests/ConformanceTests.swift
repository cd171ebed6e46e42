import Foundation
import ProviderConformance
import Siesta
import SiestaStorage
import SiestaTesting
import Testing

/// The conformance suites for apps, on what the optimized library implements itself.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ConformanceTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("siesta-release-\(UUID().uuidString)")

    @Test func `The transport of the platform follows the rules of providers`() async throws {
        try await ProviderConformance.check { DefaultNetworking().siestaNetworkingProvider }
    }

    @Test func `Stores in files and in memory follow the rules of stores`() async {
        let folder = folder
        defer { try? FileManager.default.removeItem(at: folder) }
        let inFiles = await RecordStoreConformance.violations { FileRecordStore(folder: folder, limits: $0) }
        #expect(inFiles.isEmpty)
        let inMemory = await RecordStoreConformance.violations(outlivesInstances: false) {
            MemoryRecordStore(limits: $0)
        }
        #expect(inMemory.isEmpty)
    }
}
