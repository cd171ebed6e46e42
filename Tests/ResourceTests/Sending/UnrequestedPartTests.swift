import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Parts of the content that no request has asked for (RFC 9110 §14).
@MainActor @Suite(.timeLimit(.test))
struct UnrequestedPartTests {
    private let stub = StubbedResource()

    private func part(_ status: Int, _ headers: [String: String]) -> StubAnswer {
        .text("abc", status: status, headers: headers)
    }

    private nonisolated static let parts: [(Int, [String: String])] = [
        (206, ["Content-Range": "bytes 0-2/10"]), (206, [:]), (206, ["Content-Range": "bytes 0-2/3"]),
        (206, ["Content-Type": "multipart/byteranges; boundary=x"]), (200, ["Content-Range": "bytes 0-2/10"]),
        (206, ["Content-Range": "bytes=0-2/10"]), (206, ["Content-Range": "bytes:0-2/10"]),
        (200, ["Content-Range": "bytes\t0-2/10"]), (206, ["Content-Range": "bytes"]),
        (200, ["content-range": "BYTES 0-2/*"]), (203, ["Content-Range": "bytes 7-9/10"]), (226, ["IM": "vcdiff"]),
    ]

    @Test(arguments: parts, [FreshnessRule.fixed, .http])
    func `A part is no content of the resource if the load did not ask for it`(
        _ part: (status: Int, headers: [String: String]), _ rule: FreshnessRule
    ) async {
        stub.service.configure { $0.freshness = rule }
        await stub.load(.text("whole", headers: ["ETag": "\"1\""]))
        let headers = part.headers.merging(["ETag": "\"1\"", "Cache-Control": "max-age=60"]) { old, _ in old }
        let info = await stub.load(self.part(part.status, headers))
        #expect(info.failure?.httpStatusCode == part.status)
        #expect(info.failure?.code == .unrequestedResponse)
        #expect(stub.resource.text == "whole")
        await stub.load(.text("new"))
        #expect(stub.resource.text == "new")
        #expect(stub.resource.latestError == nil)
    }

    @Test(arguments: parts)
    func `A request that asks for no part fails if it receives one`(_ status: Int, _ headers: [String: String]) async {
        for method in [RequestMethod.get, .post] {
            stub.network.answer(method, "/thing", with: part(status, headers))
            let info = await stub.resource.request(method).completion()
            #expect(info.failure?.httpStatusCode == status)
        }
    }

    @Test func `The part is the entity of the error`() async throws {
        let error = try #require(await stub.load(part(206, ["Content-Range": "bytes 0-2/10"])).failure)
        #expect(error.entity?.content as? String == "abc")
        #expect(error.entity?.header(forKey: "Content-Range") == "bytes 0-2/10")
        #expect(error.userMessage == UserMessages().cannotParseResponse)
        #expect(error.code == .unrequestedResponse)
        #expect("\(error)".contains("206"))
    }

    @Test func `A request that asks for a part receives it`() async {
        for status in [200, 206] {
            stub.network.answer(.get, "/thing", with: part(status, ["Content-Range": "bytes 0-2/10"]))
            let info = await stub.resource.request(.get) { $0.setValue("bytes=0-2", forHTTPHeaderField: "range") }
                .completion()
            #expect(info.text == "abc")
        }
        stub.service.configure { $0.headers["Range"] = "bytes=0-2" }
        #expect(await stub.load(part(206, ["Content-Range": "bytes 0-2/10"])).text == "abc")
    }

    @Test func `A request that asks for a difference receives it`() async {
        stub.network.answer(.get, "/thing", with: part(226, ["IM": "vcdiff"]))
        let info = await stub.resource.request(.get) { $0.setValue("vcdiff", forHTTPHeaderField: "A-IM") }.completion()
        #expect(info.text == "abc")
    }

    @Test(arguments: [200, 206], ["items 0-9/319", "0-14/3573", "bytesize 0-1/2"])
    func `A range of other units than bytes is content of its own, such as a page of a list`(
        _ status: Int, _ range: String
    ) async {
        #expect(await stub.load(part(status, ["Content-Range": range])).text == "abc")
    }

    @Test(arguments: [400, 416, 500])
    func `An error stays an error without a cause`(_ status: Int) async {
        let info = await stub.load(part(status, ["Content-Range": "bytes */10"]))
        #expect(info.failure?.httpStatusCode == status)
        #expect(info.failure?.cause == nil)
    }
}
