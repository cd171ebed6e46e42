import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The responses that are stored, and their places: the content that an app would show after a restart.
@MainActor @Suite(.timeLimit(.test))
struct StoredAnswerTests {
    /// The values that the app sends with its requests.
    @MainActor
    private final class Session: Sendable {
        var user: String? = "ada"
        var language = "de"
    }

    private let folder: TestFolder
    private let clock = TestClock()
    private let network = StubNetwork()
    private let session = Session()

    init() throws {
        folder = try TestFolder()
    }

    private func service(
        _ network: StubNetwork, _ configure: @escaping (inout Configuration) -> Void
    ) -> Service {
        let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
        let (url, session) = (folder.url, session)
        service.configure {
            $0.pipeline[.rawData].cacheUsing(PersistentCache.file(at: url).partitioned { session.user })
            configure(&$0)
        }
        return service
    }

    private func resource(_ configure: @escaping (inout Configuration) -> Void = { _ in }) -> Resource {
        service(network, configure).resource("/x")
    }

    /// Returns the resource after a restart, without a network.
    private func stored(_ configure: @escaping (inout Configuration) -> Void = { _ in }) async throws -> Resource {
        try await PersistentCache.file(at: folder.url).storage.flush()
        let resource = service(StubNetwork(), configure).resource("/x")
        await resource.service.warm([resource])
        return resource
    }

    private func waitForExchange(_ number: Int) async throws -> StubExchange {
        try await Poll.until { network.exchanges.count >= number }
        return network.exchanges[number - 1]
    }

    @Test func `A part of the content does not take the place of all of it`() async throws {
        network.answer(
            .get, "/x", with: .text("whole", headers: ["ETag": "1"]),
            .text("who", status: 206, headers: ["ETag": "1", "Content-Range": "bytes 0-2/5"]),
            .text("other", headers: ["ETag": "2"]))
        let resource = resource()
        await resource.load().completion()
        await resource.load().completion()  // The server sends a part that was not requested.
        #expect(try await stored().text == "whole")
        await resource.request(.get) { $0.setValue("bytes=0-4", forHTTPHeaderField: "Range") }.completion()
        #expect(try await stored().text == "whole")
    }

    @Test func `What another URL has is not stored, unless the configuration leads there`() async throws {
        network.handler = { .text($0.url?.absoluteString ?? "") }
        await resource().request(.get) { $0.url = URL(string: "http://cache.test/y") }.completion()
        #expect(try await stored().latestData == nil)
        await resource { $0.mutateRequests { $0.url = URL(string: "http://cache.test/x?key=1") } }.load().completion()
        #expect(try await stored().text == "http://cache.test/x?key=1")
    }

    @Test func `An answer that comes late does not take the place of that to a later request`() async throws {
        network.answer(.get, "/x", with: .held)
        let resource = resource()
        let (first, second) = (resource.load(), resource.load())
        network.exchanges[1].respond(with: .text("new"))
        await second.completion()
        network.exchanges[0].respond(with: .text("old"))
        await first.completion()
        #expect(resource.text == "new")
        #expect(try await stored().text == "new")
    }

    @Test func `A confirmation that comes late is for what was asked about`() async throws {
        network.answer(.get, "/x", with: .text("1", headers: ["ETag": "1"]), .held, .held)
        let resource = resource()
        await resource.load().completion()
        let (first, second) = (resource.load(), resource.load())
        network.exchanges[2].respond(with: .text("2", headers: ["ETag": "2"]))
        await second.completion()
        let time = clock.wallTime
        clock.advance(by: 100)
        network.exchanges[1].respond(with: .notModified)
        await first.completion()
        let found = try await stored()
        #expect(found.text == "2")
        #expect(found.timestamp == time)
    }

    @Test func `What later stages refuse does not take the place of good data`() async throws {
        network.answer(
            .get, "/x", with: .json(#"{"a": 1}"#), .text("<html>Log in", contentType: "application/json"))
        let resource = resource()
        await resource.load().completion()
        await resource.load().completion()
        #expect(resource.latestError != nil)
        #expect(try await stored().jsonDict["a"] as? Int == 1)
    }

    @Test func `What varies by a header is told apart by what was sent, whoever has set it`() async throws {
        let session = session
        let configure: (inout Configuration) -> Void = { configuration in
            configuration.mutateRequests { request in
                MainActor.assumeIsolated {
                    request.setValue(session.language, forHTTPHeaderField: "Accept-Language")
                }
            }
        }
        network.handler = { request in
            .text(request.value(forHTTPHeaderField: "Accept-Language") ?? "", headers: ["Vary": "Accept-Language"])
        }
        await resource(configure).load().completion()
        #expect(try await stored(configure).text == "de")
        session.language = "en"
        #expect(try await stored(configure).latestData == nil)
    }

    @Test func `Values of headers that select an answer are not on the disk`() async throws {
        network.answer(.get, "/x", with: .text("x", headers: ["Vary": "X-Session-Token"]))
        await resource { $0.headers["X-Session-Token"] = "s3cret" }.load().completion()
        _ = try await stored()
        let bytes = try folder.files.reduce(Data()) { try $0 + Data(contentsOf: folder.url.appendingPathComponent($1)) }
        #expect(!bytes.isEmpty)
        #expect(bytes.range(of: Data("s3cret".utf8)) == nil)
    }

    /// When the server confirms the condition of this load, the condition is outdated. Another request is sent instead.
    @Test func `A request that is sent again stores its answer where that belongs`() async throws {
        let session = session
        let configure: (inout Configuration) -> Void = {
            $0.headers["Accept-Language"] = session.language
            $0.headers["Authorization"] = session.user
        }
        network.answer(
            .get, "/x", with: .text("Ada, de", headers: ["ETag": "1", "Vary": "Accept-Language"]), .held, .held)
        let resource = resource(configure)
        await resource.load().completion()
        let load = resource.load()
        resource.overrideLocalData(with: Entity<Any>(content: "placeholder", contentType: "text/plain"))
        (session.user, session.language) = ("bob", "en")
        resource.service.invalidateConfiguration()
        network.exchanges[1].respond(with: .notModified)
        let again = try await waitForExchange(3)
        #expect(again.request.value(forHTTPHeaderField: "Authorization") == "bob")
        again.respond(with: .text("Bob, en", headers: ["ETag": "2", "Vary": "Accept-Language"]))
        await load.completion()
        #expect(try await stored(configure).text == "Bob, en")
        (session.user, session.language) = ("ada", "de")
        #expect(try await stored(configure).latestData == nil)
    }

    @Test func `An answer to another user's request is not stored, though the first one is back`() async throws {
        network.answer(.get, "/x", with: .text("Ada's", headers: ["ETag": "1"]), .held, .held)
        let session = session
        let resource = resource()
        await resource.load().completion()
        let load = resource.load()
        resource.overrideLocalData(with: Entity<Any>(content: "placeholder", contentType: "text/plain"))
        session.user = "bob"
        network.exchanges[1].respond(with: .notModified)
        let again = try await waitForExchange(3)
        session.user = "ada"
        again.respond(with: .text("Bob's", headers: ["ETag": "2"]))
        await load.completion()
        #expect(try await stored().latestData == nil)
    }
}
