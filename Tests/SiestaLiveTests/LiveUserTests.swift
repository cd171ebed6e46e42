import Foundation
import Observation
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

/// Live resources of users who sign in and out.
@MainActor
@Suite(.timeLimit(.test))
struct LiveUserTests {
    private let owner = Owner()
    private let signing = SigningService {
        $0.live = .eventSource("/events") { event, _ in .replace(event.data, contentType: "text/plain") }
    }

    init() {
        signing.network.handler = { request in
            if request.url?.lastPathComponent == "events" { return .stream() }
            return .text("load of \(SigningService.token(of: request) ?? "")")
        }
    }

    private var streams: [StubExchange] {
        signing.network.exchanges.filter { $0.request.url?.lastPathComponent == "events" }
    }

    /// Lets time pass until the condition holds: the loads after a second connection are delayed.
    private func pass(until condition: () -> Bool) async throws {
        try await Poll.until {
            signing.clock.advance(by: 0.1)
            return condition()
        }
    }

    @Test func `The next user sees nothing of the stream of the last one`() async throws {
        let thing = signing.resource
        var (isBob, seen): (Bool, [String]) = (false, [])
        thing.addObserver(owner: owner) { thing, _ in
            if isBob { seen.append(thing.text) }
        }
        try await signing.service.signIn("ada", with: Credential("ada"))
        await thing.load().completion()
        try await pass { thing.live.isLive }
        let first = try #require(streams.last)
        let count = streams.count
        #expect(SigningService.token(of: first.request) == "ada")
        first.send("id: of-ada\ndata: ada\n\n")
        try await Poll.until { thing.text == "ada" }
        for number in 0..<50 { first.send("data: ada \(number)\n\n") }
        try await signing.service.signIn("bob", with: Credential("bob"))
        isBob = true
        for number in 50..<100 { first.send("data: ada \(number)\n\n") }
        #expect(thing.latestData == nil)
        try await pass { first.isCompleted && streams.count > count }
        let second = try #require(streams.last)
        #expect(SigningService.token(of: second.request) == "bob")
        #expect(second.request.value(forHTTPHeaderField: "Last-Event-ID") == nil)
        await thing.load().completion()
        // A load that catches up would replace an event from before it.
        try await pass { thing.live.isLive }
        second.send("data: bob\n\n")
        try await Poll.until { thing.text == "bob" }
        #expect(!seen.contains { $0.contains("ada") })
    }

    @Test func `A loop that hears of the end of a stream receives no data of its user`() async throws {
        let thing = signing.resource
        thing.addObserver(owner: owner) { _, _ in }
        try await signing.service.signIn("ada", with: Credential("ada"))
        await thing.load().completion()
        try await pass { thing.live.isLive }
        var isWaiting = false
        let next = Task {
            var states = thing.states.makeAsyncIterator()
            _ = try await states.next()
            isWaiting = true
            return try await states.next()?.data == nil
        }
        try await Poll.until { isWaiting }
        await mainQueueTurn()
        try await signing.service.signIn("bob", with: Credential("bob"))
        #expect(try await next.value)
    }

    @Test func `A stream that the server has refused is tried again as soon as the user signs in again`() async throws {
        signing.network.handler = { request in
            let isAccepted = SigningService.token(of: request) == "new"
            guard request.url?.lastPathComponent == "events" else { return .text("loaded") }
            return isAccepted ? .stream() : .response(403)
        }
        let thing = signing.resource
        thing.addObserver(owner: owner) { _, _ in }
        try await signing.service.signIn("ada", with: Credential("old"))
        await thing.load().completion()
        try await pass { thing.live.description == "failed" }
        try await signing.service.signIn("ada", with: Credential("new"))
        try await Poll.until { thing.live.isLive || thing.live.description == "catching up" }
        #expect(SigningService.token(of: try #require(streams.last).request) == "new")
    }

    @Test func `An observer that is added while a stream ends with its user opens no other stream`() async throws {
        let (thing, other) = (signing.resource, signing.service.resource("/other"))
        for resource in [thing, other] { resource.addObserver(owner: owner) { _, _ in } }
        try await signing.service.signIn("ada", with: Credential("ada"))
        for resource in [thing, other] { await resource.load().completion() }
        try await pass { thing.live.isLive && other.live.isLive }
        let count = streams.count
        withObservationTracking {
            _ = (thing.live, other.live)
        } onChange: {
            MainActor.assumeIsolated {
                for resource in [thing, other] { resource.addObserver(owner: signing.network) { _, _ in } }
            }
        }
        try await signing.service.signIn("bob", with: Credential("bob"))
        for resource in [thing, other] { await resource.load().completion() }
        try await pass { thing.live.isLive && other.live.isLive }
        #expect(streams.count == count + 1)
    }

    @Test func `A loop over events that waits for its next connection ends with its user`() async throws {
        try await signing.service.signIn("ada", with: Credential("ada"))
        var seen: [String] = []
        let loop = Task { [events = signing.service.resource("/events").eventStream] in
            for try await event in events { seen.append(event.data) }
        }
        let first = try await signing.network.exchange(1)
        first.send("id: of-ada\ndata: ada\n\n")
        try await Poll.until { seen == ["ada"] }
        first.fail(.networkConnectionLost)
        try await signing.clock.waitForTimers(1)
        try await signing.service.signIn("bob", with: Credential("bob"))
        signing.clock.advance(by: 30)
        let error = await #expect(throws: RequestError.self) { try await loop.value }
        #expect(error?.isCancellation == true)
        #expect(streams.count == 1)
    }

    @Test func `A stream tries again if its credential was not refreshed because the network was lost`() async throws {
        let thing = signing.resource
        thing.addObserver(owner: owner) { _, _ in }
        try await signing.service.signIn("ada", with: Credential("ada"))
        await thing.load().completion()
        try await pass { thing.live.isLive }
        signing.authenticator.automatic = { _, _ in throw URLError(.networkConnectionLost) }
        let answers = signing.network.handler
        signing.network.handler = { request in
            SigningService.token(of: request) == "ada" ? .response(401) : answers?(request)
        }
        try #require(streams.last).fail(.networkConnectionLost)
        try await pass { thing.live.description == "failed" && !signing.authenticator.refreshed.isEmpty }
        signing.authenticator.automatic = { _, _ in Credential("new") }
        try await pass { thing.live.isLive }
        let last = try #require(streams.last)
        #expect(SigningService.token(of: last.request) == "new")
    }

    @Test func `After a user has signed out, a stream without a credential begins`() async throws {
        let thing = signing.resource
        try await signing.service.signIn("ada", with: Credential("ada"))
        thing.addObserver(owner: owner) { _, _ in }
        await thing.load().completion()
        try await pass { thing.live.isLive }
        let first = try #require(streams.last)
        await signing.service.signOut()
        try await Poll.until { first.isCompleted }
        first.send("data: ada\n\n")
        for _ in 0..<20 { await mainQueueTurn() }
        #expect(thing.latestData == nil)
        #expect(streams.dropFirst().allSatisfy { SigningService.token(of: $0.request) == nil })
    }
}
