import Foundation
import SiestaCore
import SiestaLive
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

/// Event streams and live resources with servers that are not part of this project, whose streams are cut while other clients write.
@MainActor
@Suite(
    .serialized, .timeLimit(.model),
    .enabled(if: ForeignServer.events.isRunning, "Run .ci/servers to start the server of events"))
struct LiveServerTests {
    private struct Counter: Codable, Equatable, Sendable {
        var name = ""
        var value = 0
    }

    private struct Book: Codable, Equatable, Sendable {
        var title = ""
    }

    private final class Owner {}

    private let owner = Owner()

    /// Sends a request without the state of a resource.
    private func send(_ method: RequestMethod, _ path: String, to service: Service, json: [String: String]? = nil)
        async throws
    {
        let resource = service.resource(path)
        let request = json.map { resource.request(method, json: $0) } ?? resource.request(method)
        try await request.value.content(as: Void.self)
    }

    @Test(arguments: [ForeignServer.events, .unbufferedEvents, .bufferedEvents])
    func `A stream has every event once, although it is cut in the middle of one`(_ server: ForeignServer) async throws
    {
        guard server.isRunning else { return }
        let service = try server.service()
        let other = try ForeignServer.events.service()
        let name = "stream-\(server)"
        var values: [Int] = []
        let task = Task { @MainActor in
            for try await counter in service.resource("/events").eventStream.values(of: Counter.self)
            where counter.name == name {
                values.append(counter.value)
                if counter.value >= 60 { break }
            }
        }
        // A server that collects pieces sends the first ones late. The first event that arrives names the place in the log.
        while values.isEmpty {
            try await send(.post, "/counters/\(name)", to: other)
            if server == .bufferedEvents { try await send(.post, "/cut", to: other) }
            await Moment.after(.milliseconds(100))
        }
        for round in 0..<2 {
            for _ in 0..<30 { try await send(.post, "/counters/\(name)", to: other) }
            if round == 0 || server == .bufferedEvents { try await send(.post, "/cut", to: other) }
        }
        try await task.value
        let first = try #require(values.first)
        #expect(values == Array(first...max(first, 60)))
    }

    @Test func `Live counters have the values of the server after lost connections and gaps`() async throws {
        let service = try ForeignServer.events.service()
        let other = try ForeignServer.events.service()
        for service in [service, other] { service.decode("/counters/*", as: Counter.self) }
        service.configure("/counters/*") {
            $0.live = .eventSource("/events", route: { "/counters/\($0.type)" }) { event, _ in
                let counter = try JSONDecoder().decode(Counter.self, from: Data(event.data.utf8))
                return .replace(event.data, version: LiveVersion(String(counter.value)))
            }
        }
        let counters = ["p", "q", "r", "s"].map { service.resource("/counters/\($0)", as: Counter.self) }
        var last: [String: Int] = [:]
        for counter in counters {
            counter.addObserver(owner: owner) { counter, _ in
                guard let content = counter.content else { return }
                #expect(content.value >= last[content.name, default: 0])
                last[content.name] = content.value
            }
            counter.loadIfNeeded()
        }
        try await Poll.until { counters.allSatisfy(\.resource.live.isLive) }
        for round in 0..<60 {
            let name = ["p", "q", "r", "s"][round % 4]
            try await send(.post, "/counters/\(name)", to: other)
            if round == 30 { try await send(.post, "/cut", to: other) }
            if round == 45 {
                try await send(.post, "/forget", to: other)
                try await send(.post, "/cut", to: other)
            }
        }
        for counter in counters {
            let name = counter.resource.url.lastPathComponent
            let value = try await other.resource("/counters/\(name)", as: Counter.self).get().value
            try await Poll.until { counter.content?.value == value && counter.resource.live.isLive }
        }
    }

    @Test(.enabled(if: ForeignServer.hub.isRunning, "Run .ci/servers to start the Mercure hub"))
    func `A hub that the response names brings updates, and those that were missed`() async throws {
        let service = try ForeignServer.hub.service()
        let other = try ForeignServer.hub.service()
        service.decode("/books/*", as: Book.self)
        service.configure("/books/*") { $0.live = .mercure() }
        let books = [1, 2].map { service.resource("/books/\($0)", as: Book.self) }
        for book in books {
            book.addObserver(owner: owner) { _, _ in }
            book.loadIfNeeded()
        }
        try await Poll.until { books.allSatisfy(\.resource.live.isLive) }
        for round in 0..<20 {
            try await send(.put, "/books/\(1 + round % 2)", to: other, json: ["title": "Title \(round)"])
            if round == 10 { try await send(.post, "/cut", to: other) }
        }
        try await Poll.until { books.map(\.content?.title) == ["Title 18", "Title 19"] }
        try await send(.post, "/forget", to: other)
        try await send(.post, "/cut", to: other)
        try await send(.put, "/books/1", to: other, json: ["title": "After a gap"])
        try await Poll.until { books[0].content?.title == "After a gap" && books[0].resource.live.isLive }
    }
}
