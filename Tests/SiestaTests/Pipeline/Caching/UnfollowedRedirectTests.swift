import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Responses with a status from 300 to 399 that were not followed.
@MainActor @Suite(.timeLimit(.test))
struct UnfollowedRedirectTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }

    nonisolated private static let statuses = [300, 301, 302, 303, 305, 306, 307, 308, 399]

    private static func redirect(_ status: Int) -> StubAnswer {
        .text("<html>elsewhere", contentType: "text/html", status: status, headers: ["Location": "gopher://x"])
    }

    @Test(arguments: statuses)
    func `A redirect that was not followed is an error of a load, and good data stays`(_ status: Int) async throws {
        await stub.load(.text("good"))
        let info = await stub.load(Self.redirect(status))
        let error = try #require(info.failure)
        #expect(error.code == .redirectNotFollowed)
        #expect(error.httpStatusCode == status)
        #expect(error.userMessage == "The server redirected the request to an address that cannot be loaded.")
        #expect(error.entity?.content as? String == "<html>elsewhere")
        #expect(error.requestURL == resource.url)
        #expect(!error.description.contains("html"))
        #expect(!error.description.contains("gopher"))
        #expect(resource.text == "good")
        #expect(resource.latestError?.httpStatusCode == status)
    }

    @Test func `A load's redirect is no content for transformers of content`() async {
        stub.service.configureTransformer("/thing") { (_: Entity<String>) -> Int? in
            Issue.record("A redirect has no content")
            return 1
        }
        let info = await stub.load(Self.redirect(302))
        #expect(info.failure?.code == .redirectNotFollowed)
    }

    @Test(arguments: statuses)
    func `A request that is no load gets it as a success, as every status below 400`(_ status: Int) async {
        for method in [RequestMethod.get, .post] {
            stub.network.answer(method, "/thing", with: Self.redirect(status))
            let info = await resource.request(method).completion()
            #expect(info.text == "<html>elsewhere")
        }
        #expect(resource.latestData == nil)
        #expect(resource.latestError == nil)
    }

    @Test(arguments: [true, false])
    func `A request that becomes a load does not bring a redirect's body as data`(_ isChained: Bool) async {
        await stub.load(.text("good"))
        stub.network.answer(.post, "/thing", with: Self.redirect(303))
        let request = resource.request(.post)
        let load = resource.load(using: isChained ? request.chained { _ in .useThisResponse } : request)
        await load.completion()
        #expect(resource.text == "good")
        #expect(resource.latestError?.code == .redirectNotFollowed)
        #expect(resource.latestError?.httpStatusCode == 303)
    }

    @Test func `No request's redirect is written to a cache`() async {
        let bench = CacheBench()
        let cache = bench.cache(at: .cleanup)
        bench.network.answer(.get, "/x", with: Self.redirect(302), .text("good"))
        await bench.resource.request(.get).completion()
        await bench.resource.request(.get).completion()
        await bench.finishCacheWork(of: cache)
        #expect(bench.journal.entries("write cleanup").count == 1)
    }
}
