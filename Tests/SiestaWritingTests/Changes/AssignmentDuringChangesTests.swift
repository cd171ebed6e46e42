import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

/// Assignments of content while changes are pending.
@MainActor
@Suite(.timeLimit(.test))
struct AssignmentDuringChangesTests {
    private let stub = StubbedUser()
    private var user: TypedResource<User> { stub.user }

    /// Makes a pending change that adds a star.
    private func addStar(_ settlement: ChangeOptions.Settlement = .response) -> Change<User> {
        stub.hold(.patch)
        var options = ChangeOptions()
        options.settlement = settlement
        return user.mutate(.patch, body: .data(Data()), options: options) { $0.stars += 1 }
    }

    @Test("What an app sets is what it reads, although changes are pending", arguments: [true, false])
    func shown(isContent: Bool) async throws {
        try await stub.load()
        let change = addStar()
        if isContent {
            user.content?.name = "Grace"
        } else {
            user.entity?.content.name = "Grace"
        }
        #expect(user.content == User(name: "Grace", stars: 1))
        #expect(user.snapshot.content == User(name: "Grace", stars: 1))
        #expect(user.resource.isOptimistic)
        let next = user.mutate(.patch, body: .data(Data())) { $0.stars += 1 }
        #expect(user.content?.stars == 2)
        next.cancel()
        #expect(user.content?.stars == 1)
        change.cancel()
    }

    @Test("Data from the server replaces what an app has set, and the pending edits are made again")
    func load() async throws {
        try await stub.load()
        let change = addStar()
        user.content?.name = "Grace"
        try await stub.load(User(name: "Ada", stars: 5).json)
        #expect(user.content == User(stars: 6))
        change.cancel()
        #expect(user.content == User(stars: 5))
    }

    @Test("An edit that the content contains is not made again when its change succeeds")
    func success() async throws {
        try await stub.load()
        let changes = [addStar(.edit), addStar(.edit)]
        user.content?.name = "Grace"
        for (index, change) in changes.enumerated() {
            try await stub.network.exchange(index + 2).respond(with: .response(204, headers: ["ETag": "\"2\""]))
            _ = try await change.value
            #expect(user.content == User(name: "Grace", stars: 2))
        }
        #expect(user.snapshot.source == .local)
        #expect(user.resource.latestData?.etag == "\"2\"")
    }

    @Test("If a change fails whose edit the content contains, the data is stale", arguments: [true, false])
    func failure(isCancelled: Bool) async throws {
        try await stub.load()
        _ = addStar()
        let change = addStar()
        user.content?.name = "Grace"
        #expect(user.isUpToDate)
        var phase: ResourceFreshness.Phase?
        let loop = Task { for await state in user.resource.states { phase = state.freshness.phase } }
        try await Poll.until { phase == .fresh }
        defer { loop.cancel() }
        if isCancelled {
            change.cancel()
        } else {
            try await stub.network.exchange(2).respond(with: .response(422))
            try await stub.network.exchange(3).respond(with: .response(422))
            await #expect(throws: RequestError.self) { try await change.value }
        }
        #expect(user.isStale)
        #expect(user.content == User(name: "Grace", stars: 2))
        try await Poll.until { phase == .stale }
    }
}
