import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Responses that any task can await, and that it can decode.
@MainActor @Suite(.timeLimit(.test))
struct FinishedResponseTests {
    private struct User: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    private let stub = StubbedResource()
    private let eve = #"{"id": 2, "name": "Eve"}"#

    private func post(_ answer: StubAnswer) -> any Request {
        stub.network.answer(.post, "/thing", with: answer)
        return stub.resource.request(.post)
    }

    private func failure<Value: Sendable>(of operation: () async throws -> Value) async throws -> RequestError {
        do {
            _ = try await operation()
            throw NoFailure()
        } catch let error as RequestError {
            return error
        }
    }

    private struct NoFailure: Error {}

    // MARK: Off the main actor

    @Test func `The tasks of a group await responses off the main actor`() async throws {
        for id in 0..<20 {
            stub.network.answer(.get, "/users/\(id)", with: .json(#"{"id": \#(id), "name": "Ann"}"#))
        }
        #expect(try await Self.names(in: stub.service) == Array(repeating: "Ann", count: 20))
    }

    nonisolated private static func names(in api: Service) async throws -> [String] {
        try await withThrowingTaskGroup(of: User.self) { group in
            for id in 0..<20 {
                group.addTask {
                    #expect(!MainQueue.isCurrent)
                    return try await api.resource("/users/\(id)").request(.get).value.decoded()
                }
            }
            return try await group.reduce(into: []) { $0.append($1.name) }
        }
    }

    @Test func `A handler talks to a real server off the main actor`() async throws {
        let server = try LoopbackServer { exchange in
            let body = exchange.request.body
            switch exchange.request.method {
            case "POST": try exchange.respond(201, headers: ["Location: /users/7", "Content-Type: a/b"], body: body)
            case "DELETE": try exchange.send("HTTP/1.1 204 Gone\r\n\r\n")
            default: try exchange.respond(404, headers: ["Content-Type: application/json"], text: #"{"why": "x"}"#)
            }
        }
        let api = Service(baseURL: server.url())
        try await Self.handle(api)
        #expect(server.requests.map(\.method) == ["POST", "POST", "DELETE", "DELETE", "GET"])
    }

    nonisolated private static func handle(_ api: Service) async throws {
        let ann = User(id: 7, name: "Ann")
        let users = await api.resource("/users")
        let response = try await users.request(.post, body: .encoded(ann)).value
        #expect(response.status == 201)
        #expect(response.header(forKey: "location") == "/users/7")
        #expect(response.headers["location"] == "/users/7")
        #expect(try await response.decoded(as: User.self) == ann)
        #expect(try await users.request(.post, json: ["id": 7, "name": "Ann"]).value.decoded() == ann)
        _ = try await users.child("7").request(.delete).value
        try await users.child("7").request(.delete).value.content(as: Void.self)
        do throws(RequestError) {
            _ = try await users.child("8").request(.get).value
            Issue.record("A 404 is an error")
        } catch {
            #expect(error.httpStatusCode == 404)
            #expect(error.entity?.jsonDict["why"] as? String == "x")
        }
    }

    @Test func `A cancelled task ends its wait, and the request that nobody else needs`() async throws {
        let arrived = Gate()
        stub.network.handler = { _ in
            arrived.open()
            return .held
        }
        let service = stub.service
        let waits = [
            Task.detached { try await service.resource("/thing").request(.post).value.status },
            Task.detached { try await service.resource("/thing").request(.post).value.decoded(as: User.self).id },
        ]
        await arrived.wait()
        for wait in waits {
            wait.cancel()
            guard case .failure(let error) = await wait.result else { Issue.record("not cancelled"); continue }
            #expect((error as? RequestError)?.isCancellation == true)
        }
        let areCancelled = stub.network.exchanges.map { $0.isCancelled }
        #expect(!areCancelled.isEmpty)
        #expect(!areCancelled.contains(false))
    }

    // MARK: Status, headers and body

    @Test func `A request that is no load has the bytes of its response, whatever the pipeline makes of them`()
        async throws
    {
        let response = try await post(.json(eve, status: 201, headers: ["X-Thing": "a"])).value
        #expect(response.status == 201)
        #expect(response.header(forKey: "x-thing") == "a")
        #expect(response.data == Data(eve.utf8))
        #expect((response.content as? [String: Any])?["name"] as? String == "Eve")
        #expect(try await response.decoded(as: User.self) == User(id: 2, name: "Eve"))
        let entity = try #require(try await post(.json(eve)).value.entityForTypedContentAccessors)
        #expect("\(response)" == "HTTP 201: \(entity)")
    }

    @Test func `A chain and a repetition keep the bytes; a custom request has none`() async throws {
        let chain = post(.json(eve)).chained { _ in .useThisResponse }
        #expect(try await chain.value.decoded(as: User.self).name == "Eve")
        #expect(try await chain.repeated().value.data == Data(eve.utf8))
        let entity = Entity<Any>(content: 5, contentType: "a/b")
        let response = try await Resource.hardWiredRequest(returning: .success(entity)).value
        #expect(response.status == nil)
        #expect(response.data == nil)
        #expect(try await response.decoded(as: Int.self) == 5)
    }

    @Test func `A load has a status and content, and bytes only if the pipeline left them`() async throws {
        stub.network.answer(.get, "/thing", with: .json(eve, headers: ["ETag": "\"1\""]), .notModified)
        let parsed = try await stub.resource.load().value
        #expect(parsed.status == 200)
        #expect(parsed.data == nil)
        #expect(try await stub.resource.load().value.status == 304)
        stub.network.answer(.get, "/raw", with: .text(eve, contentType: "a/b"))
        let raw = try await stub.service.resource("/raw").load().value
        #expect(raw.data == Data(eve.utf8))
        #expect(try await raw.decoded(as: User.self).name == "Eve")
    }

    // MARK: Decoding

    @Test func `The decoder is the request's, else the configured one, and runs off the main actor`() async throws {
        struct Snake: Decodable, Sendable {
            let userName: String
            let isMain = MainQueue.isCurrent
            enum CodingKeys: CodingKey { case userName }
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let answer = StubAnswer.json(#"{"user_name": "x"}"#)
        #expect(try await post(answer).value.decoded(as: Snake.self, decoder: decoder).userName == "x")
        stub.service.configure { $0.jsonDecoder = decoder }
        let snake = try await post(answer).value.decoded(as: Snake.self)
        #expect(snake.userName == "x")
        #expect(!snake.isMain)
    }

    @Test func `Content that the pipeline has made is not decoded again`() async throws {
        stub.service.configureTransformer("/thing") { (_: Entity<Data>) in User(id: 1, name: "pipeline") }
        #expect(try await post(.text(eve, contentType: "a/b")).value.decoded(as: User.self).name == "pipeline")
    }

    @Test func `Bytes that the pipeline has changed are decoded, and the bytes of the response are kept`() async throws
    {
        stub.service.configureTransformer("/thing") { (entity: Entity<Data>) in Data(entity.content.dropFirst(2)) }
        let response = try await post(.text("))" + eve, contentType: "a/b")).value
        #expect(try await response.decoded(as: User.self) == User(id: 2, name: "Eve"))
        #expect(response.data == Data("))\(eve)".utf8))
    }

    @Test func `What cannot be decoded is the decoder's error, with the request and its time`() async throws {
        let error = try await failure { try await post(.json("{}")).value.decoded(as: User.self) }
        #expect(error.cause is DecodingError)
        #expect(error.requestURL == stub.resource.url)
        #expect(error.requestMethod == "POST")
        #expect(error.timestamp == stub.clock.wallTime)
        #expect(error.entity != nil)
    }

    @Test func `An error tells what to do: for content of another type, for a load, and without a body`() async throws {
        let type = try await failure { try await post(.json(eve)).value.content(as: User.self) }
        #expect("\(type)".contains("is there a rule service.decode(…, as: User.self) for this URL and method?"))
        #expect(type.requestMethod == "POST")
        stub.network.answer(.get, "/thing", with: .json(eve))
        let load = try await failure { try await stub.resource.load().value.decoded(as: User.self) }
        #expect(load.code == .wrongContentType)
        #expect("\(load)".contains("add Service.decode(_:as:)"))
        let empty = try await failure { try await post(.response(204)).value.decoded(as: User.self) }
        #expect(empty.code == .wrongContentType)
        #expect("\(empty)".contains("use content(as: Void.self)"))
    }

    // MARK: Void

    @Test(arguments: [200, 201, 202, 204, 205, 299])
    func `Void accepts every status from 200 to 299, with any content`(_ status: Int) async throws {
        try await post(.response(status)).value.content(as: Void.self)
        try await post(.response(status)).value.content(as: Void.self)
        if status != 204 { try await post(.json(eve, status: status)).value.content(as: Void.self) }
        stub.network.answer(.get, "/thing", with: .response(status))
        let done = stub.resource.typed(as: Void.self)
        try await done.get(.always)
        try await done.get()
        #expect(done.error == nil)
        #expect(done.content != nil)
        #expect(done.snapshot.content != nil)
        #expect(done.entity != nil)
    }

    @Test(arguments: [302, 400, 500])
    func `Void accepts no redirect and no failure`(_ status: Int) async throws {
        let error = try await failure { try await post(.json(eve, status: status)).value.content(as: Void.self) }
        #expect(error.httpStatusCode == status)
        #expect((error.code == .redirectNotFollowed) == (status == 302))
        let undecoded = try await failure { try await post(.json(eve, status: status)).value.decoded(as: User.self) }
        #expect(undecoded.httpStatusCode == status)
    }

    @Test func `JSON that is not UTF-8 is decoded by the charset of its label`() async throws {
        let body = Data(#"{"id": 2, "name": ""#.utf8) + [0xE9] + Data(#""}"#.utf8)
        let label = ["Content-Type": "application/json; charset=iso-8859-1"]
        let response = try await post(.response(200, headers: label, body: body)).value
        #expect(try await response.decoded(as: User.self) == User(id: 2, name: "é"))
        let user = TypedResource<User>(stub.resource)
        _ = try await user.load(using: post(.response(200, headers: label, body: body))).value
        #expect(user.content?.name == "é")
    }
}
