import Dispatch
import Foundation
import SiestaCore
import SiestaLive
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Live resources that all users share, and that follow the stream of one user.
@MainActor @Suite(.timeLimit(.test))
struct SharedLiveDataTests {
    private let owner = Owner()
    private let signing = SigningService {
        $0.live = .eventSource("/events") { event, _ in .replace(event.data, contentType: "text/plain") }
    }

    init() {
        signing.service.configure("/thing") { $0.isPersonal = false }
        signing.network.handler = { $0.url?.lastPathComponent == "events" ? .stream() : .text("shared") }
    }

    private var streams: [StubExchange] {
        signing.network.exchanges.filter { $0.request.url?.lastPathComponent == "events" }
    }

    private func pass(until condition: () -> Bool) async throws {
        try await Poll.until {
            signing.clock.advance(by: 0.1)
            return condition()
        }
    }

    /// Observes a resource as the user Ada, and waits until it is live.
    private func thingOfAda() async throws -> Resource {
        let thing = signing.resource
        thing.addObserver(owner: owner) { _, _ in }
        try await signing.service.signIn("ada", with: Credential("ada"))
        await thing.load().completion()
        try await pass { thing.live.isLive }
        return thing
    }

    /// Waits until the resource is live for the user Bob. Returns the request of his stream.
    private func requestOfBob(for thing: Resource) async throws -> URLRequest {
        try await pass { thing.live.isLive && SigningService.token(of: streams[streams.count - 1].request) == "bob" }
        return streams[streams.count - 1].request
    }

    @Test func `The stream of the next user does not go on after the last event of the last one`() async throws {
        let thing = try await thingOfAda()
        let first = try #require(streams.last)
        first.send("id: of-ada\ndata: event\n\n")
        try await Poll.until { thing.text == "event" }
        try await signing.service.signIn("bob", with: Credential("bob"))
        let request = try await requestOfBob(for: thing)
        #expect(first.isCompleted)
        #expect(request.value(forHTTPHeaderField: "Last-Event-ID") == nil)
    }

    @Test func `An event of the last user that is being read when another one signs in has no effect`() async throws {
        let service = signing.service
        service.configure("/thing") {
            $0.live = .eventSource("/events") { event, _ in
                DispatchQueue.main.sync {
                    MainActor.assumeIsolated { _ = Task { try await service.signIn("bob", with: Credential("bob")) } }
                }
                while DispatchQueue.main.sync(execute: {
                    MainActor.assumeIsolated { service.session?.principal != "bob" }
                }) {}
                return .replace(event.data, contentType: "text/plain")
            }
        }
        let thing = try await thingOfAda()
        var seen: Set<String> = []
        thing.addObserver(owner: owner) { thing, _ in seen.insert(thing.text) }
        try #require(streams.last).send("data: of Ada\n\n")
        _ = try await requestOfBob(for: thing)
        #expect(seen == ["shared"])
    }

    @Test func `A shared stream that the server has refused is tried again when another user signs in`() async throws {
        signing.service.configure("/events") { $0.isPersonal = false }
        signing.network.handler = { request in
            guard request.url?.lastPathComponent == "events" else { return .text("shared") }
            return SigningService.token(of: request) == "bob" ? .stream() : .response(403)
        }
        let thing = signing.resource
        thing.addObserver(owner: owner) { _, _ in }
        try await signing.service.signIn("ada", with: Credential("ada"))
        await thing.load().completion()
        try await pass { thing.live.description == "failed" }
        try await signing.service.signIn("bob", with: Credential("bob"))
        // The clock stands still.
        try await Poll.until { thing.live.isLive || thing.live.description == "catching up" }
    }
}
