#if os(Linux)
import CacheTorture
import Foundation
import SiestaTesting
import TestKit
import Testing

import SiestaCore
import SiestaUI
import SiestaWriting
@testable import SiestaCaches
@testable import SiestaOutboxStorage

/// An outbox on a disk without space.
@MainActor @Suite(.timeLimit(.test), .enabled(if: SmallDisk.isPossible))
struct OutboxFullDiskTests {
    private let app = RestartedApp()
    private let network = StubNetwork()
    private let disk: SmallDisk

    init() throws {
        disk = try SmallDisk()
    }

    private func outbox() -> Outbox { Outbox(at: disk.folder.url.appendingPathComponent("outbox")) }

    private func makeSpace() throws {
        try FileManager.default.removeItem(at: disk.folder.url.appendingPathComponent("filler"))
    }

    @Test func `On a full disk, no change is accepted, and no accepted change is lost`() async throws {
        app.connection.isConnected = false
        let service = app.start(network, outbox())
        let user = try await app.loaded(service, network)
        var accepted: [String?] = []
        for number in 0..<40 {
            if number == 20 { disk.fill() }
            let change = user.rename("\(number) " + String(repeating: "x", count: 5000))
            do {
                try await change.accepted()
                accepted.append(change.entryID)
            } catch {
                #expect(change.state == .failed)
            }
        }
        #expect(20..<40 ~= accepted.count)
        #expect(service.outbox?.entries.map(\.id) == accepted)
        let last = try #require(accepted.last ?? nil)
        do { try await service.outbox?.drop(last) } catch {}
        #expect(service.outbox?.entries.count == accepted.count - 1)
        try makeSpace()
        try await user.rename("last").accepted()
        #expect(service.outbox?.failure == nil)
        let expected = service.outbox?.entries.map(\.id)
        await service.outbox?.close()
        service.outbox = outbox()
        await service.outbox?.isLoaded()
        #expect(service.outbox?.entries.map(\.id) == expected)
        #expect(service.outbox?.unreadableCount == 0)
    }

    @Test func `A change that is confirmed on a full disk is not sent again after a restart`() async throws {
        let service = app.start(network, outbox())
        let user = try await app.loaded(service, network)
        app.connection.isConnected = false
        let other = user.rename("later")
        try await other.accepted()
        await service.outbox?.settled()
        network.answer(.patch, "/users/1", with: .held)
        app.connection.isConnected = true
        let exchange = try await network.exchange(2)
        disk.fill()
        let unaccepted = user.rename("unaccepted " + String(repeating: "x", count: 20_000))
        exchange.respond(with: .json(#"{"name": "later", "stars": 0}"#))
        await #expect(throws: (any Error).self) { try await unaccepted.accepted() }
        await service.outbox?.settled()
        try makeSpace()
        app.clock.advance(by: 31)
        await service.outbox?.settled()
        await service.outbox?.close()
        service.outbox = outbox()
        await service.outbox?.isLoaded()
        #expect(service.outbox?.entries.isEmpty == true)
    }

    @Test func `In a folder that cannot be written, no change is accepted`() async throws {
        try await disk.makeReadOnly()
        app.connection.isConnected = false
        let service = app.start(network, outbox())
        let user = try await app.loaded(service, network)
        await #expect(throws: (any Error).self) { try await user.rename("Grace").accepted() }
        #expect(service.outbox?.failure != nil)
        #expect(user.content?.name == "Ada")
    }
}
#endif
