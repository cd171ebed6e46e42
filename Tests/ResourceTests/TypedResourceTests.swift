import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Typed resources, and bodies that are decoded and encoded.
@MainActor @Suite(.timeLimit(.test))
struct TypedResourceTests {
    private struct User: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    private let stub = StubbedResource()
    private var user: TypedResource<User> { stub.service.resource("/thing", as: User.self) }

    init() {
        stub.service.decode("/thing", as: User.self)
    }

    private func answer(_ text: String, status: Int = 200, headers: [String: String] = [:]) {
        stub.network.answer(.get, "/thing", with: .json(text, status: status, headers: headers))
    }

    @Test func `load() decodes and returns the content`() async throws {
        answer(#"{"id": 42, "name": "Ann"}"#)
        let ann = User(id: 42, name: "Ann")
        #expect(try await user.get(.always) == ann)
        #expect(user.content == ann)
        #expect(user.entity?.content == ann)
        #expect(user.error == nil)
        #expect(user.snapshot.content == ann)
        #expect(stub.resource.typedContent() == ann)
    }

    @Test func `fresh() loads once, and what is set is seen by all`() async throws {
        answer(#"{"id": 42, "name": "Ann"}"#)
        #expect(try await user.get().name == "Ann")
        #expect(try await user.get().name == "Ann")
        user.content = User(id: 1, name: "Bob")
        #expect(try await user.get().name == "Bob")
        #expect(stub.network.requests.count == 1)
    }

    @Test func `Several types on one URL are one network resource`() async throws {
        answer(#"{"id": 42, "name": "Ann"}"#)
        let other = stub.service.resource("/thing", as: Int.self)
        #expect(other.resource === user.resource)
        #expect(user == stub.resource.typed(as: User.self))
        try await user.get(.always)
        #expect(other.content == nil)
        let cause = try #require(other.error?.cause as? RequestError.Failure)
        #expect("\(cause)".contains("Int"))
        #expect("\(cause)".contains("User"))
        #expect(other.snapshot.error?.code == .wrongContentType)
        await #expect(throws: RequestError.self) { try await other.get() }
        #expect(stub.network.requests.count == 1)
    }

    @Test func `What cannot be decoded is an error whose cause is the decoder's, and the data stays`() async throws {
        answer(#"{"id": 42, "name": "Ann"}"#)
        try await user.get(.always)
        answer(#"{"id": "no number"}"#)
        let error = await #expect(throws: RequestError.self) { try await user.get(.always) }
        #expect(error?.cause is DecodingError)
        #expect(user.error?.cause is DecodingError)
        #expect(user.content?.name == "Ann")
    }

    @Test func `Bodies of errors are still parsed`() async {
        answer(#"{"message": "gone"}"#, status: 410)
        let error = await #expect(throws: RequestError.self) { try await user.get(.always) }
        #expect(error?.httpStatusCode == 410)
        #expect(error?.entity?.jsonDict["message"] as? String == "gone")
    }

    @Test func `A 304 brings the content that is there`() async throws {
        answer(#"{"id": 42, "name": "Ann"}"#, headers: ["ETag": "\"1\""])
        try await user.get(.always)
        stub.network.answer(.get, "/thing", with: .notModified)
        #expect(try await user.get(.always).name == "Ann")
    }

    @Test func `Decoding runs off the main actor`() async throws {
        struct Where: Decodable, Sendable {
            let isMain: Bool
            init(from decoder: any Decoder) { isMain = MainQueue.isCurrent }
        }
        stub.service.decode("/where", as: Where.self)
        stub.network.answer(.get, "/where", with: .json("{}"))
        #expect(try await stub.service.resource("/where", as: Where.self).get(.always).isMain == false)
    }

    @Test(arguments: [true, false])
    func `The decoder is the rule's, else the configuration's`(_ isOfRule: Bool) async throws {
        struct Snake: Decodable, Sendable { let userName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        if !isOfRule { stub.service.configure { $0.jsonDecoder = decoder } }
        stub.service.decode("/snake", as: Snake.self, decoder: isOfRule ? decoder : nil)
        stub.network.answer(.get, "/snake", with: .json(#"{"user_name": "x"}"#))
        #expect(try await stub.service.resource("/snake", as: Snake.self).get(.always).userName == "x")
    }

    @Test func `Content can be made of a body and the headers, and what that throws is the cause`() async throws {
        struct Tagged: Sendable, Equatable {
            let name: String
            let tag: String?
        }
        struct Refused: Error {}
        stub.service.decode("/tagged", as: User.self) { entity in
            guard entity.content.id > 0 else { throw Refused() }
            return Tagged(name: entity.content.name, tag: entity.etag)
        }
        stub.network.answer(
            .get, "/tagged", with: .json(#"{"id": 1, "name": "Ann"}"#, headers: ["ETag": "\"7\""]),
            .json(#"{"id": 0, "name": "Bob"}"#))
        let tagged = stub.service.resource("/tagged", as: Tagged.self)
        #expect(try await tagged.get(.always) == Tagged(name: "Ann", tag: "\"7\""))
        let error = await #expect(throws: RequestError.self) { try await tagged.get(.always) }
        #expect(error?.cause is Refused)
    }

    @Test func `A part of the content can be set, and taken back with headers and age; nil wipes`() async throws {
        answer(#"{"id": 42, "name": "Ann"}"#, headers: ["ETag": "\"1\""])
        try await user.get(.always)
        let before = user.entity
        stub.clock.advance(by: 60)
        user.content?.name = "Eve"
        #expect(user.content == User(id: 42, name: "Eve"))
        #expect(user.entity?.timestamp == stub.clock.wallTime)
        #expect(user.entity?.etag == "\"1\"")
        user.entity = before
        #expect(user.content?.name == "Ann")
        #expect(user.entity?.timestamp == before?.timestamp)
        user.content = nil
        #expect(stub.resource.latestData == nil)
        user.entity = before
        user.entity = nil
        #expect(stub.resource.latestData == nil)
    }

    @Test func `Nil changes nothing where the content is nil already, also if it is of another type`() async throws {
        let recorder = ObserverRecorder()
        stub.resource.addObserver(recorder)
        stub.network.answer(.get, "/thing", with: .json("{}", status: 500), .held)
        _ = try? await user.get(.always)
        let load = stub.resource.load()
        recorder.clear()
        user.content?.name = "Eve"
        user.entity?.headers["x"] = "y"
        user.content = nil
        user.entity = nil
        #expect(load.state == .inProgress)
        #expect(stub.resource.latestError != nil)
        #expect(recorder.events == [])
        try stub.exchange(1).respond(with: .json(#"{"id": 42, "name": "Ann"}"#))
        await load.completion()
        let number = stub.service.resource("/thing", as: Int.self)
        number.content? += 1
        number.entity = nil
        #expect(user.content?.name == "Ann")
        #expect(recorder.events == [.newData(.network)])
    }

    @Test func `A state says where its data came from`() async throws {
        #expect(user.snapshot.source == nil)
        answer(#"{"id": 42, "name": "Ann"}"#, headers: ["ETag": "\"1\""])
        try await user.get(.always)
        #expect(user.snapshot.source == .network)
        stub.network.answer(.get, "/thing", with: .notModified, .json("{}", status: 500))
        try await user.get(.always)
        #expect(stub.resource.snapshot.source == .revalidated)
        _ = try? await user.get(.always)
        #expect(user.snapshot.source == .revalidated)
        user.content?.name = "Eve"
        #expect(user.snapshot.source == .local)
        user.wipe()
        #expect(user.snapshot.source == nil)
    }

    @Test func `A cancelled request's error says so, and others do not`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let load = user.resource.load()
        load.cancel()
        let error = await #expect(throws: RequestError.self) { _ = try await load.value }
        #expect(error?.isCancellation == true)
        answer("{}", status: 500)
        let failure = await #expect(throws: RequestError.self) { try await user.get(.always) }
        #expect(failure?.isCancellation == false)
    }

    @Test func `A typed resource is invalidated, requested, and named by a template like any other`() async throws {
        let user = stub.service.resource(template: "/{name}", ["name": "thing"], as: User.self)
        #expect(user == self.user)
        user.content = User(id: 1, name: "Bob")
        user.invalidate()
        #expect(!user.isUpToDate)
        stub.network.answer(.post, "/thing", with: .json(#"{"id": 2, "name": "Eve"}"#))
        let request = user.request(.post)
        #expect(user.isRequesting)
        #expect(try await request.value.decoded(as: User.self).name == "Eve")
    }

    @Test func `States and events carry the content`() async throws {
        var states = user.states.makeAsyncIterator()
        var events = user.events.makeAsyncIterator()
        #expect(try await states.next()?.content == nil)
        user.content = User(id: 1, name: "Bob")
        #expect(try await states.next()?.content?.name == "Bob")
        let change = try await events.next()
        #expect(change?.event == .newData(.localOverride))
        #expect(change?.snapshot.content?.name == "Bob")
        #expect(change?.missed == 0)
    }

    @Test func `An Encodable body is sent as JSON, with the encoder asked for`() async throws {
        stub.network.answer(.post, "/thing", with: .response(204))
        _ = await stub.resource.request(.post, body: .encoded(User(id: 1, name: "Bob"))).completion()
        let sent = try stub.lastRequest
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(try JSONDecoder().decode(User.self, from: #require(sent.httpBody)) == User(id: 1, name: "Bob"))
        stub.service.configure { $0.jsonEncoder.keyEncodingStrategy = .convertToSnakeCase }
        struct Camel: Encodable { let userName = "x" }
        stub.network.answer(.post, "/thing", with: .response(204))
        _ = await stub.resource.request(.post, body: .encoded(Camel())).completion()
        #expect(try stub.lastRequest.httpBody == Data(#"{"user_name":"x"}"#.utf8))
        let other = StubbedResource()
        other.network.answer(.post, "/thing", with: .response(204))
        _ = await other.resource.request(.post, body: .encoded(Camel())).completion()
        #expect(try other.lastRequest.httpBody == Data(#"{"userName":"x"}"#.utf8))
    }

    @Test func `A body that cannot be encoded fails with the encoder's error, and nothing is sent`() async {
        let response = await stub.resource.request(.post, body: .encoded([Double.infinity])).completion()
        #expect(response.failure?.cause is EncodingError)
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `Two thousand tasks that await, iterate and cancel end without a leak, with the requests one expects`()
        async throws
    {
        weak var released: Service?
        do {
            let storm = StubbedResource()
            released = storm.service
            storm.service.decode("/items/*", as: User.self)
            for number in 0..<20 {
                storm.network.answer(.get, "/items/\(number)", with: .json(#"{"id": \#(number), "name": "x"}"#))
            }
            let observer = ObserverRecorder()  // Keeps loads wanted: each runs exactly once.
            for number in 0..<20 { storm.service.resource("/items/\(number)").addObserver(observer) }
            defer { withExtendedLifetime(observer) {} }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<2000 {
                    let item = storm.service.resource("/items/\(number % 20)", as: User.self)
                    group.addTask { try await Self.use(item, as: number) }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect(storm.network.requests.count == 20)
        }
        await mainQueueTurn()
        #expect(released == nil)
    }

    nonisolated private static func use(_ item: TypedResource<User>, as number: Int) async throws -> Bool {
        let expected = number % 20
        switch number / 20 % 4 {
        case 0: return try await item.get().id == expected
        case 1:
            await item.loadIfNeeded()
            for await state in item.states {
                if let content = state.content { return content.id == expected }
            }
            return false
        case 2:
            let task = Task { try await item.get().id }
            if number.isMultiple(of: 3) { task.cancel() }
            let result = await task.result
            guard case .success(let id) = result else { return number.isMultiple(of: 3) }
            return id == expected
        default:
            let task = Task { () -> Set<Int> in
                var ids: Set<Int> = []
                for await change in item.events { ids.formUnion(change.snapshot.content.map { [$0.id] } ?? []) }
                return ids
            }
            _ = try await item.get()
            task.cancel()
            return await task.value.isSubset(of: [expected])
        }
    }
}
