import Foundation
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The functions that a typed resource shares with its untyped resource: navigation, requests, loads, observers and age.
@MainActor @Suite(.timeLimit(.test))
struct TypedResourceRequestsTests {
    private struct User: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    private let stub = StubbedResource()
    private let eve = #"{"id": 2, "name": "Eve"}"#
    private var user: TypedResource<User> { stub.service.resource("/thing", as: User.self) }

    init() {
        stub.service.decode("/thing", as: User.self)
    }

    // MARK: Navigation

    @Test func `Children and links have a type of their own, and parameters keep the type`() {
        let name = user.child("name", as: String.self)
        #expect(name.resource === stub.resource.child("name"))
        let inferred: TypedResource<Int> = user.child("id")
        #expect(inferred.resource === stub.resource.child("id"))
        #expect(user.relative("/others", as: [User].self).resource === stub.resource.relative("/others"))
        #expect(user.optionalRelative("/others", as: [User].self)?.resource === stub.resource.relative("/others"))
        #expect(user.optionalRelative(nil, as: Int.self) == nil)
        #expect(user.withParam("a", "1").resource === stub.resource.withParam("a", "1"))
        #expect(user.withParams(["a": "1", "b": nil]) == user.withParam("a", "1"))
        #expect(user.url == stub.resource.url)
    }

    // MARK: Requests

    @Test func `A request with a body is that of the untyped resource, and of the function of 1.5`() async throws {
        stub.network.handler = { _ in .response(200) }
        var form = MultipartForm()
        form.append("b", name: "a")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (typed, plain) = (user, stub.resource)
        let pairs: [(any Request, any Request)] = [
            (typed.request(.get), plain.request(.get)),
            (
                typed.request(.put, body: .encoded([1], encoder: JSONEncoder())),
                plain.request(.put, body: .encoded([1]))
            ),
            (typed.request(.put, body: .json(["a": 1])), plain.request(.put, json: ["a": 1])),
            (typed.request(.put, body: .form(["a": "&"])), plain.request(.put, urlEncoded: ["a": "&"])),
            (
                typed.request(.put, body: .text("é", contentType: "a/b", encoding: .isoLatin1)),
                plain.request(.put, text: "é", contentType: "a/b", encoding: .isoLatin1)
            ),
            (
                typed.request(.put, body: .data(Data([1]), contentType: "a/b")),
                plain.request(.put, data: Data([1]), contentType: "a/b")
            ),
            (typed.request(.post, body: .multipart(form)), plain.request(.post, body: .multipart(form))),
            (typed.request(.put, body: .file(file)), plain.request(.put, body: .file(file))),
        ]
        for (index, (one, other)) in pairs.enumerated() {
            _ = try await one.value
            _ = try await other.value
            let (first, second) = (stub.network.requests[index * 2], stub.network.requests[index * 2 + 1])
            #expect(first.httpMethod == second.httpMethod)
            #expect(first.httpBody == second.httpBody)
            #expect((first.httpBodyStream == nil) == (second.httpBodyStream == nil))
            #expect(first.allHTTPHeaderFields == second.allHTTPHeaderFields)
        }
        _ = try await typed.request(.post, body: .encoded(1)) { $0.setValue("v", forHTTPHeaderField: "X-Mutated") }
            .value
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "X-Mutated") == "v")
    }

    // MARK: Decoding

    @Test(arguments: [RequestMethod.put, .post, .patch])
    func `By default, decode applies to GET only, and to other methods if they are named`(_ method: RequestMethod)
        async throws
    {
        stub.network.answer(method, "/thing", with: .json(#"{"accepted": true}"#))
        let response = try await user.request(method).value
        #expect((response.content as? [String: Any])?["accepted"] as? Bool == true)
        stub.service.decode("/thing", as: User.self, requestMethods: [.get, method])
        stub.network.answer(method, "/thing", with: .json(eve))
        #expect(try await user.request(method).value.content(as: User.self).name == "Eve")
        stub.network.answer(.get, "/thing", with: .json(eve))
        #expect(try await user.get(.always).name == "Eve")
    }

    // MARK: Loads

    @Test func `The response to another request becomes the content, decoded off the pipeline`() async throws {
        stub.network.answer(.patch, "/thing", with: .json(eve, headers: ["ETag": "\"2\""]))
        let recorder = ObserverRecorder()
        user.addObserver(recorder)
        #expect(
            try await user.load(using: user.request(.patch, body: .encoded(["name": "Eve"]))).value.content()
                == User(id: 2, name: "Eve"))
        #expect(user.content?.name == "Eve")
        #expect(user.entity?.etag == "\"2\"")
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `A response that is not the content fails the load, and the content stays`() async throws {
        user.content = User(id: 1, name: "Ann")
        for answer in [StubAnswer.json("{}"), .response(204), .response(409), .text("x")] {
            stub.network.answer(.put, "/thing", with: answer)
            await #expect(throws: RequestError.self) { try await user.load(using: user.request(.put)).value }
            #expect(user.content?.name == "Ann")
            #expect(user.error != nil)
        }
        struct Page: Sendable {}
        stub.network.answer(.put, "/page", with: .json(eve))
        let page = stub.service.resource("/page", as: Page.self)
        page.content = Page()
        let error = await #expect(throws: RequestError.self) {
            try await page.load(using: page.request(.put)).value
        }
        #expect(error?.code == .wrongContentType)
        #expect(page.content != nil)
    }

    @Test func `Content that the pipeline has made is used as it is, and a cancelled wait cancels the request`()
        async throws
    {
        stub.network.answer(.put, "/thing", with: .text("as is"), .held)
        let text = stub.resource.typed(as: String.self)
        #expect(try await text.load(using: text.request(.put)).value.content() == "as is")
        let request = text.request(.put)
        let wait = Task { try await text.load(using: request).value.content(as: String.self) }
        await mainQueueTurn()
        wait.cancel()
        let error = await #expect(throws: RequestError.self) { try await wait.value }
        #expect(error?.isCancellation == true)
        #expect(try stub.exchange(1).isCancelled)
    }

    // MARK: Observers

    @Test func `Closures receive the typed resource, and observers and owners work as on the untyped one`() {
        let (owner, recorder, owned) = (ObserverRecorder(), ObserverRecorder(), ObserverRecorder())
        var names: [String?] = []
        user.addObserver(owner: owner) { user, _ in names.append(user.content?.name) }
            .addObserver(recorder)
            .addObserver(owned, owner: owner)
        user.content = User(id: 1, name: "Ann")
        user.removeObservers(ownedBy: owner)
        user.content = User(id: 2, name: "Bob")
        #expect(names == [nil, "Ann"])
        #expect(recorder.events == [.observerAdded, .newData(.localOverride), .newData(.localOverride)])
        #expect(owned.events == [.observerAdded, .newData(.localOverride)])
    }

    @Test func `A closure does not keep its resource`() async {
        weak var released: Resource?
        let owner = ObserverRecorder()
        do {
            let other = StubbedResource()
            released = other.resource
            other.resource.typed(as: User.self).addObserver(owner: owner) { _, _ in }
        }
        await mainQueueTurn()
        #expect(released == nil)
    }

    // MARK: Age

    @Test func `Data is stale when it is missing, old or invalidated, and has a date`() async throws {
        stub.service.configure { $0.expirationTime = 60 }
        #expect(user.isStale)
        #expect(stub.resource.isStale)
        #expect(user.snapshot.isStale)
        #expect(user.date == nil)
        #expect(stub.resource.date == nil)
        #expect(user.snapshot.date == nil)
        stub.network.answer(.get, "/thing", with: .json(eve))
        try await user.get(.always)
        let date = Date(timeIntervalSinceReferenceDate: stub.clock.wallTime)
        #expect(!user.isStale)
        #expect(!stub.resource.isStale)
        #expect(user.date == date)
        #expect(stub.resource.date == date)
        #expect(user.snapshot.date == date)
        #expect(stub.resource.snapshot.date == date)
        #expect(user.entity?.date == date)
        #expect(user.timestamp == date.timeIntervalSinceReferenceDate)
        stub.clock.advance(by: 61)
        #expect(user.isStale)
        #expect(stub.resource.isStale)
        #expect(stub.resource.date == date)
        var entity = Entity<Int>(content: 1, headers: [:])
        entity.date = date
        #expect(entity.timestamp == date.timeIntervalSinceReferenceDate)
        stub.network.answer(.get, "/thing", with: .response(500))
        let error = await #expect(throws: RequestError.self) { try await user.get(.always) }
        #expect(error?.date == Date(timeIntervalSinceReferenceDate: stub.clock.wallTime))
        #expect(!user.isStale)
        user.invalidate()
        #expect(user.isStale)
        #expect(stub.resource.isStale)
    }
}
