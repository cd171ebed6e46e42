import Foundation
import SiestaCore
import SiestaLists
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Responses to changes and loads that overlap.
@MainActor
@Suite(.timeLimit(.test))
struct ChangeRaceTests {
    private let stub = StubbedUser()
    private var user: TypedResource<User> { stub.user }

    private func options(_ settlement: ChangeOptions.Settlement, isConcurrent: Bool = false) -> ChangeOptions {
        var options = ChangeOptions()
        (options.settlement, options.isConcurrent) = (settlement, isConcurrent)
        return options
    }

    @Test("A load whose response is ignored, because the result of another change is newer, removes no edit")
    func ignoredLoad() async throws {
        try await stub.load()
        stub.hold(.patch)
        stub.hold(.put)
        stub.hold(.get)
        let named = user.mutate(.patch, body: .data(Data()), options: options(.reload)) { $0.name = "Grace" }
        let starred = user.mutate(.put, body: .data(Data()), options: options(.edit, isConcurrent: true)) {
            $0.stars = 1
        }
        try await stub.network.exchange(2).respond(with: .response(204))
        let load = try await stub.network.exchange(4)
        try await stub.network.exchange(3).respond(with: .response(204, headers: ["ETag": "\"2\""]))
        _ = try await starred.value
        load.respond(with: User(name: "Grace").json)
        _ = try await named.value
        #expect(user.content == User(name: "Grace", stars: 1))
        #expect(user.isStale)
        #expect(!user.resource.isOptimistic)
    }

    @Test("If a load fails after a newer one has brought the change, the edit is not made twice")
    func failedLoadAfterNewer() async throws {
        try await stub.load()
        stub.hold(.patch)
        stub.hold(.get)
        let change = user.mutate(.patch, body: .data(Data()), options: options(.reload)) { $0.stars += 1 }
        try await stub.network.exchange(2).respond(with: .response(204))
        let old = try await stub.network.exchange(3)
        let newer = user.resource.load()
        try await stub.network.exchange(4).respond(with: User(stars: 1).json)
        _ = await newer.response
        #expect(user.content?.stars == 1)
        old.respond(with: .response(503))
        #expect(try await change.value?.stars == 1)
        #expect(user.isUpToDate)
    }

    @Test("A 304 that ends a pending edit is new content for lists")
    func confirmedEdit() async throws {
        try await stub.load()
        try await stub.loadList()
        let names = PagedResource(user, items: { [$0.name] }, id: { $0 }, next: .link)
        let owner = NSObject()
        names.addObserver(owner: owner) { _, _ in }
        stub.network.answer(.patch, "/users/1", with: .response(204))
        stub.hold(.get, "/users/1")
        stub.hold(.get, "/users")
        let edit = stub.list.edit { $0.removeFirst() }
        let change = user.mutate(.patch, body: .data(Data()), also: [edit], options: options(.reload)) {
            $0.name = "Grace"
        }
        let load = try await stub.network.exchange(4)
        #expect(names.items == ["Grace"])
        load.respond(with: .notModified)
        while user.resource.isLoading { await mainQueueTurn() }
        #expect(user.content?.name == "Ada")
        #expect(change.state == .settling)
        #expect(names.items == ["Ada"])
        change.cancel()
    }

    @Test("A response to an older load does not make newer data stale")
    func oldLoad() async throws {
        try await stub.load()
        stub.hold(.patch)
        stub.hold(.get)
        let old = user.resource.load()
        let change = user.mutate(.patch, body: .data(Data())) { $0.stars = 1 }
        _ = try await stub.network.exchange(3)
        change.cancel()
        let newer = user.resource.load()
        try await stub.network.exchange(4).respond(with: User(stars: 1).json)
        _ = await newer.response
        #expect(user.isUpToDate)
        try await stub.network.exchange(2).respond(with: User().json)
        _ = await old.response
        #expect(user.isUpToDate)
        #expect(user.content?.stars == 1)
    }

    @Test("If concurrent changes overlap, the data of the later response is stale", arguments: [[2, 3], [3, 2]])
    func overlappingChanges(order: [Int]) async throws {
        try await stub.load()
        stub.hold(.patch)
        let changes = (1...2).map { stars in
            user.mutate(.patch, body: .data(Data()), options: options(.response, isConcurrent: true)) {
                $0.stars = stars
            }
        }
        for (number, isLast) in zip(order, [false, true]) {
            try await stub.network.exchange(number).respond(with: User(stars: number - 1).json)
            _ = try await changes[number - 2].value
            #expect(user.isStale == isLast)
        }
    }

    @Test("Changes that are sent one after the other leave fresh data")
    func changesInTurn() async throws {
        try await stub.load()
        stub.hold(.patch)
        let changes = (1...2).map { stars in user.mutate(.patch, body: .data(Data())) { $0.stars = stars } }
        for (number, change) in zip([2, 3], changes) {
            try await stub.network.exchange(number).respond(with: User(stars: number - 1).json)
            _ = try await change.value
            #expect(user.isUpToDate)
        }
    }

    @Test("If it is unknown whether a change was carried out, the data that a replaced change has edited is stale, too")
    func unknownOutcomeOfReplaced() async throws {
        try await stub.load()
        try await stub.loadList()
        stub.hold(.put)
        var coalescing = ChangeOptions()
        coalescing.coalesces = true
        user.mutate(.put, body: .data(Data()), options: coalescing) { $0.stars = 1 }
        let edit = stub.list.edit { $0.removeFirst() }
        user.mutate(.put, body: .data(Data()), also: [edit], options: coalescing) { $0.stars = 2 }
        let last = user.mutate(.put, body: .data(Data()), options: coalescing) { $0.stars = 3 }
        try await stub.network.exchange(3).respond(with: User(stars: 1).json)
        try await stub.network.exchange(4).respond(with: .response(500))
        await #expect(throws: RequestError.self) { try await last.value }
        #expect(stub.list.isStale)
        #expect(user.isStale)
    }

    @Test(arguments: [true, false])
    func `A change that is cancelled or wiped while its response is processed leaves stale data`(
        isWipe: Bool
    ) async throws {
        let interruption = Interruption()
        let stub = StubbedUser { service in
            service.configure("/users/*", requestMethods: [.get]) {
                $0.pipeline[.cleanup].add(interruption.transformer)
            }
        }
        try await stub.load()
        try await stub.loadList()
        stub.network.answer(.patch, "/users/1", with: User(name: "Grace").json)
        let edit = stub.list.edit { $0[0].name = "Grace" }
        let change = stub.user.mutate(.patch, body: .data(Data()), also: [edit]) { $0.name = "Grace" }
        interruption.act = {
            #expect(change.state == .settling)
            if isWipe { stub.user.resource.wipe() } else { change.cancel() }
        }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(stub.list.content?.map(\.name) == ["Ada", "Bob"])
        #expect(stub.list.isStale)
        #expect(stub.user.isStale)
    }

    @Test func `A change that is cancelled while it is settled by a load leaves fresh data`() async throws {
        try await stub.load()
        stub.hold(.patch)
        stub.hold(.get)
        let change = user.mutate(.patch, body: .data(Data()), options: options(.reload)) { $0.stars = 1 }
        try await stub.network.exchange(2).respond(with: .response(204))
        let load = try await stub.network.exchange(3)
        change.cancel()
        #expect(user.isStale)
        load.respond(with: User(stars: 1).json)
        try await Poll.until { user.content == User(stars: 1) }
        #expect(user.isUpToDate)
    }

    @Test func `Changes that overlap a coalesced change leave a list as fresh as it was`() async throws {
        try await stub.load()
        try await stub.loadList()
        for path in ["/users/1", "/users/2"] { stub.hold(.put, path) }
        var coalescing = options(.edit)
        coalescing.coalesces = true
        let first = user.mutate(.put, body: .data(Data()), options: options(.edit)) { $0.stars = 1 }
        user.mutate(.put, body: .data(Data()), also: [stub.list.edit { $0[0].stars = 2 }], options: coalescing) {
            $0.stars = 2
        }
        let last = user.mutate(.put, body: .data(Data()), options: coalescing) { $0.stars = 3 }
        try await stub.network.exchange(3).respond(with: .response(204))
        _ = try await first.value
        let sent = try await stub.network.exchange(4)
        let other = stub.service.resource("/users/2", as: User.self)
        let change = other.mutate(.put, body: .data(Data()), also: [stub.list.edit { $0[1].stars = 4 }])
        try await stub.network.exchange(5).respond(with: .response(204))
        _ = try await change.value
        sent.respond(with: .response(204))
        _ = try await last.value
        #expect(stub.list.content?.map(\.stars) == [2, 4])
        #expect(stub.list.isUpToDate)
    }
}

/// Runs code of the test on the main thread while the response "Grace" is processed.
@MainActor
private final class Interruption {
    var act: () -> Void = {}
    nonisolated var transformer: some ResponseTransformer { Transformer(interruption: self) }

    private struct Transformer: ResponseTransformer {
        let interruption: Interruption

        func process(_ response: Response) -> Response {
            if case .success(let entity) = response, (entity.content as? User)?.name == "Grace" {
                DispatchQueue.main.sync { MainActor.assumeIsolated { interruption.act() } }
            }
            return response
        }
    }
}
