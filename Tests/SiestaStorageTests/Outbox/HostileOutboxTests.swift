import CacheTorture
import Foundation
import OutboxTorture
import SiestaCore
import SiestaJSON
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaOutboxStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Files of an outbox that somebody has damaged or made.
@MainActor @Suite(.timeLimit(.test))
struct HostileOutboxTests {
    private let app = RestartedApp()
    private let network = StubNetwork()
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var url: URL { folder.url.appendingPathComponent("outbox") }

    private nonisolated static let lengths = [Int64.max, .min, -1, 1 << 62]

    @Test(arguments: lengths)
    func `An absurd length of a body stops no outbox`(length: Int64) async throws {
        let store = RecordOutboxStore.inMemory()
        try await store.apply([
            .write(.stored(1, body: .kept(name: "f", length: length))),
            .write(.stored(2, body: .kept(name: "g", length: length))), .write(.stored(3)),
        ])
        let contents = try await store.load()
        let rules = OutboxRules(contents.entries)
        #expect(rules.bytes >= 0)
        #expect(contents.entries.count + contents.unreadable == 3)
    }

    @Test func `The highest name of a segment hides no entry`() async throws {
        let records = MemoryRecordStore()
        let partition = OutboxPlace.partition(of: nil)
        try await records.apply([.write(RecordKey(partition: partition, name: .max), Data("garbage".utf8))])
        let store = RecordOutboxStore(records, folder: nil)
        for number in UInt64(1)...100 { try await store.apply([.write(.stored(number))]) }
        let contents = try await RecordOutboxStore(records, folder: nil).load()
        #expect(contents.entries.map(\.number) == Array(1...100))
        #expect(contents.unreadable == 1)
    }

    private enum Damage: CaseIterable { case truncated, removed, longer, link, folder }

    @Test(arguments: Damage.allCases)
    private func `A copied file that was damaged is not sent, and its change waits for a decision`(
        damage: Damage
    ) async throws {
        app.connection.isConnected = false
        let service = app.start(network, Outbox(at: url))
        let user = try await app.loaded(service, network)
        let file = folder.url.appendingPathComponent("photo")
        try Data(count: 5000).write(to: file)
        let change = user.mutate(.put, body: .file(file, contentType: "image/png"), durable: true)
        try await change.accepted()
        let files = url.appendingPathComponent("files")
        let names = try FileManager.default.contentsOfDirectory(atPath: files.path)
        let kept = files.appendingPathComponent(try #require(names.first))
        switch damage {
        case .truncated: try Data(count: 10).write(to: kept)
        case .longer: try Data(count: 6000).write(to: kept)
        case .removed: try FileManager.default.removeItem(at: kept)
        case .link:
            try FileManager.default.removeItem(at: kept)
            try FileManager.default.createSymbolicLink(at: kept, withDestinationURL: file)
        case .folder:
            try FileManager.default.removeItem(at: kept)
            try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: false)
        }
        network.answer(.put, "/users/1", with: .response(204))
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(network.writes.isEmpty)
        guard case .refused(nil, _)? = service.outbox?.entries.first?.state else {
            Issue.record("\(String(describing: service.outbox?.entries.first))")
            return
        }
    }

    /// A text that is expensive to normalize.
    private static func marks(_ count: Int) -> String {
        "a" + String(repeating: "\u{301}\u{323}", count: count)
    }

    @Test func `A durable change of hostile texts takes linear time on the main actor`() async throws {
        let service = app.start(network, Outbox.inMemory())
        service.decode("/values/*", as: [String: JSONValue].self, requestMethods: [.get])
        var values: [Int: TypedResource<[String: JSONValue]>] = [:]
        for count in [1_000, 4_000] {
            let text = Self.marks(count)
            let body = #"{"v": "\#(text)", "list": [{"id": "\#(text)"}, {"id": "\#(text)b"}]}"#
            network.answer(.get, "/values/\(count)", with: .json(body))
            let value: TypedResource<[String: JSONValue]> = service.resource("/values/\(count)").typed()
            try await value.get(.always)
            values[count] = value
        }
        app.connection.isConnected = false
        let growth = try Growth(of: 1_000) {
            try #require(values[$0])
        } _: { value in
            let change = value.mutate(.put, body: .json(["n": 1]), durable: true) { $0["n"] = 1 }
            #expect(value.content?["n"] == 1)
            change.cancel()
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `No durable change sees a value whose names have many combining marks`() async throws {
        let service = app.start(network, Outbox.inMemory())
        service.decode("/values/*", as: [String: JSONValue].self, requestMethods: [.get])
        network.answer(.get, "/values/1", with: .json(#"{"\#(Self.marks(16_000))": 1}"#))
        let value: TypedResource<[String: JSONValue]> = service.resource("/values/1").typed()
        await #expect(throws: RequestError.self) { try await value.get(.always) }
        #expect(value.content == nil)
    }

    @Test func `Large bodies do not make large records`() async throws {
        let records = MemoryRecordStore()
        let store = RecordOutboxStore(records, folder: nil)
        let body = Outbox.Body.bytes(Data(count: 1 << 20))
        for number in UInt64(1)...20 { try await store.apply([.write(.stored(number, body: body))]) }
        #expect(try await store.load().entries.count == 20)
        let lengths = try await records.read(records.allKeys()).values.map(\.count)
        #expect(lengths.max() ?? 0 < 3 << 20)
    }
}
