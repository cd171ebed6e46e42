import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Changes on a server that respects `Idempotency-Key`, and that closes every third connection after it has applied the write.
@MainActor
@Suite(
    .serialized, .timeLimit(.model),
    .enabled(if: ForeignServer.idempotency.isRunning, "Run .ci/servers to start the server that loses responses"))
struct LostResponseTests {
    private struct Counter: Codable, Equatable, Sendable {
        var name = ""
        var version = 0
        var values: [Int] = []

        /// Appends a number. A load may contain it already.
        mutating func append(_ value: Int) {
            if !values.contains(value) { values.append(value) }
        }
    }

    private struct Write: Codable, Sendable {
        let name: String
        let key: String?
        let body: String
        let isApplied: Bool
        let isLost: Bool
    }

    private static let names = ["a", "b", "c", "d", "e"]
    /// The number of changes of each counter that are sent in order.
    private static let orderedCount = 42
    /// The number of changes of each counter that are sent at once. Their values are above 1 000.
    private static let concurrentCount = 6

    /// Returns a service whose counters are empty.
    private func service(over transport: NetworkingKind = .platform, keys: Bool, retries: Int) async throws
        -> Service
    {
        let service = try ForeignServer.idempotency.service(over: transport)
        service.decode("/counters", as: [Counter].self)
        service.decode("/counters/*", as: Counter.self)
        service.configure {
            $0.sendsIdempotencyKeys = keys
            $0.retry = .standard
            $0.retry.methods.insert(.patch)
            ($0.retry.retryLimit, $0.retry.firstDelay) = (retries, 0)
        }
        try await service.resource("/reset").request(.post).value.content(as: Void.self)
        return service
    }

    private func append(
        _ value: Int, to counter: TypedResource<Counter>, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions()
    ) -> Change<Counter> {
        counter.mutate(.patch, body: .encoded(["append": value]), also: edits, options: options) { $0.append(value) }
    }

    /// Returns the writes that the server has received.
    private func journal() async throws -> [Write] { try await get("/journal") }

    /// Returns the counters of the server.
    private func theirs() async throws -> [Counter] { try await get("/counters") }

    private func get<Content: Decodable & Sendable>(_ path: String) async throws -> Content {
        let service = try ForeignServer.idempotency.service()
        service.decode("/**", as: Content.self)
        return try await service.resource(path, as: Content.self).get(.always)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Each change with a key is applied once and in order, and the result is shown`(over transport: NetworkingKind)
        async throws
    {
        let service = try await service(over: transport, keys: true, retries: 20)
        let overview = service.resource("/counters", as: [Counter].self)
        try await overview.get(.always)
        let counters = Self.names.map { service.resource("/counters/\($0)", as: Counter.self) }
        for counter in counters { try await counter.get(.always) }
        let changes = zip(Self.names, counters).flatMap { self.changes(of: $1, $0, overview) }
        #expect(changes.count == 240)
        for counter in counters { #expect(counter.content?.values.count == 48) }
        for change in changes { _ = try await change.value }

        let writes = try await journal()
        #expect(Set(writes.map(\.key)).count == changes.count)
        #expect(writes.filter(\.isApplied).count == changes.count)
        #expect(writes.filter(\.isLost).count >= changes.count / 3)
        let server = try await theirs()
        #expect(overview.content == server)
        for (counter, theirs) in zip(counters, server) {
            #expect(counter.content == theirs)
            #expect(!counter.resource.isOptimistic)
            #expect(theirs.values.filter { $0 < 1_000 } == Array(0..<Self.orderedCount))
            #expect(theirs.values.filter { $0 >= 1_000 }.sorted() == Array(1_000..<1_000 + Self.concurrentCount))
        }
    }

    /// Makes all changes of one counter. Each also edits the overview, and is settled by loads of both.
    ///
    /// The server loses one response to every two changes. With the loads, the retries are one in six requests, which is
    /// within the limit of the retry budget, one in five.
    private func changes(
        of counter: TypedResource<Counter>, _ name: String, _ overview: TypedResource<[Counter]>
    ) -> [Change<Counter>] {
        func change(_ value: Int, isConcurrent: Bool) -> Change<Counter> {
            var options = ChangeOptions()
            (options.settlement, options.isConcurrent) = (.reload, isConcurrent)
            let edit = overview.edit { counters in
                for index in counters.indices where counters[index].name == name { counters[index].append(value) }
            }
            return append(value, to: counter, also: [edit], options: options)
        }
        return (0..<Self.orderedCount).map { change($0, isConcurrent: false) }
            + (0..<Self.concurrentCount).map { change(1_000 + $0, isConcurrent: true) }
    }

    @Test func `Without a key, a change whose response is lost is applied twice`() async throws {
        let service = try await service(keys: false, retries: 20)
        let counter = service.resource("/counters/a", as: Counter.self)
        try await counter.get(.always)
        let changes = (0..<3).map { append($0, to: counter) }
        for change in changes { _ = try await change.value }
        #expect(try await theirs().map(\.values) == [[0, 1, 2, 2]])
        #expect(counter.content?.values == [0, 1, 2, 2])
    }

    @Test func `A change that fails because its response is lost disappears, and a load shows what the server has`()
        async throws
    {
        let service = try await service(keys: true, retries: 0)
        let counter = service.resource("/counters/a", as: Counter.self)
        try await counter.get(.always)
        let changes = (0..<4).map { append($0, to: counter) }
        for change in changes[..<2] { _ = try await change.value }
        await #expect(throws: RequestError.self) { try await changes[2].value }
        _ = try await changes[3].value
        try await counter.loadIfNeeded()?.value.content(as: Void.self)
        #expect(counter.content?.values == [0, 1, 2, 3])
        #expect(try await theirs() == [counter.content])
    }

    @Test func `A failed change whose outcome is unknown leaves stale data`() async throws {
        let service = try await service(keys: true, retries: 0)
        let counter = service.resource("/counters/a", as: Counter.self)
        try await counter.get(.always)
        for value in 0..<2 { _ = try await append(value, to: counter).value }
        await #expect(throws: RequestError.self) { try await append(2, to: counter).value }
        #expect(counter.content?.values == [0, 1])
        #expect(counter.isStale)
        try await counter.loadIfNeeded()?.value.content(as: Void.self)
        #expect(counter.content?.values == [0, 1, 2])
    }
}
