import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads that continue an earlier one.
extension DownloadTests {
    @Test(arguments: [
        (["ETag: \"1\""], "\"1\""),
        (
            ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:38 GMT"],
            "Sun, 06 Nov 1994 08:49:37 GMT"
        ),
    ])
    func `A download that broke off goes on where it ended, by a strong validator`(
        _ headers: [String], _ validator: String
    ) async throws {
        let server = try FileServer(.init(body: Self.body, headers: headers, validator: validator, cut: 500_000))
        let error = await download(server).failure
        #expect((error?.cause as? URLError)?.code == .networkConnectionLost)
        #expect(try folder.files == [".file.part", ".file.part.json"])
        let part = try Data(contentsOf: folder.url.appendingPathComponent(".file.part"))
        #expect(!part.isEmpty)
        #expect(Self.body.starts(with: part))
        server.change { $0.cut = nil }
        #expect(await download(server).failure == nil)
        #expect(try content == Self.body)
        #expect(server.ranges == [nil, "bytes=\(part.count)-"])
        #expect(server.requests.last?.header("If-Range") == validator)
        #expect(try folder.files == ["file"])
    }

    @Test(arguments: [
        [], ["ETag: W/\"1\""], ["ETag: unquoted"], ["ETag: \"1\"", "Accept-Ranges: none"],
        ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"],
        ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
        ["ETag: W/\"1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 09:49:37 GMT"],
    ])
    func `Without a strong validator, or if the server or the caller does not want it, everything is asked for again`(
        _ headers: [String]
    ) async throws {
        let server = try FileServer(.init(body: Self.body, headers: headers, cut: 500_000))
        #expect(await download(server).failure != nil)
        #expect(try folder.files == [])
        server.change { $0.cut = nil }
        #expect(await download(server).failure == nil)
        #expect(try content == Self.body)
        #expect(server.ranges == [nil, nil])
    }

    @Test func `Without resuming, nothing that is there counts, and nothing is left`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 500_000))
        #expect(await download(server).failure != nil)
        #expect(await download(server, resuming: false).failure != nil)
        #expect(server.ranges == [nil, nil])
        #expect(try folder.files == [])
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A file that has changed is downloaded anew: versions never mix`(_ transport: NetworkingKind) async throws {
        let server = try FileServer(.init(body: Self.body, cut: 500_000))
        #expect(await download(server, transport).failure != nil)
        server.change { $0 = .init(body: Self.other, headers: ["ETag: \"2\""], validator: "\"2\"", cut: 700_000) }
        #expect(await download(server, transport).failure != nil)  // breaks off again, in the new version
        server.change { $0.cut = nil }
        #expect(await download(server, transport).failure == nil)
        #expect(try content == Self.other)
        #expect(server.requests.map { $0.header("If-Range") } == [nil, "\"1\"", "\"2\""])
    }

    @Test(arguments: [
        ["ETag: \"2\"", "Content-Range: bytes OFFSET-1499999/1500000"],
        ["ETag: \"1\"", "Content-Range: bytes 0-1499999/1500000"],
        ["ETag: \"1\"", "Content-Range: bytes OFFSET-1499999/*"],
        ["ETag: \"1\"", "Content-Range: bytes OFFSET-1499999/1600000"],
        ["ETag: \"1\"", "Content-Range: pages OFFSET-1499999/1500000"],
        ["ETag: \"1\"", "Content-Type: multipart/byteranges; boundary=x"],
        [
            "ETag: \"1\"", "Content-Type: multipart/byteranges; boundary=x",
            "Content-Range: bytes OFFSET-1499999/1500000",
        ],
        ["Content-Range: bytes OFFSET-1499999/1500000"],
        ["ETag: W/\"1\"", "Content-Range: bytes OFFSET-1499999/1500000"],
        ["ETag: \"1\"", "Content-Encoding: deflate", "Content-Range: bytes OFFSET-1499999/1500000"],
        ["ETag: \"1\"", "Content-Encoding: br", "Content-Range: bytes OFFSET-1499999/1500000"],
        ["ETag: \"1\"", "Content-Encoding: gzip, br", "Content-Range: bytes OFFSET-1499999/1500000"],
    ])
    func `A range that is not what was asked for makes the download start over`(_ headers: [String]) async throws {
        let (body, other) = (Self.body, Self.other)
        let server = try FileServer(.init(body: body, cut: 500_000))
        #expect(await download(server).failure != nil)
        server.change { content in
            content.cut = nil
            content.answersRange = { exchange, offset in
                let headers = headers.map { $0.replacingOccurrences(of: "OFFSET", with: "\(offset)") }
                try exchange.respond(206, headers: headers, body: other.prefix(body.count - offset))
                return true
            }
        }
        #expect(await download(server).failure == nil)
        #expect(try content == body)
        #expect(server.ranges.count == 3)
        #expect(server.ranges.last == .some(nil))
    }

    @Test func `A file with an unknown coding is saved as received, and never resumed`() async throws {
        let body = Self.body
        let server = try FileServer(.init(body: body, headers: ["ETag: \"1\"", "Content-Encoding: br"], cut: 500_000))
        #expect(await download(server).failure != nil)
        server.change { $0.cut = nil }
        #expect(await download(server).failure == nil)
        #expect(try content == body)
        #expect(server.ranges == [nil, nil])
    }

    @Test func `Redirected to another file with the same tag, a download starts over`() async throws {
        let (body, other, isMoved) = (Self.body, Data(Self.body.reversed()), Gate())
        let server = try LoopbackServer { exchange in
            switch (exchange.request.target, exchange.request.header("Range")) {
            case ("/", _): try exchange.respond(302, headers: ["Location: \(isMoved.isOpen ? "/new" : "/old")"])
            case ("/old", _):
                try exchange.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(body.count)\r\n\r\n")
                try exchange.send(body.prefix(500_000))
                exchange.close()
            case (_, let range?):
                let offset = Int(range.dropFirst(6).dropLast()) ?? 0
                let headers = ["ETag: \"1\"", "Content-Range: bytes \(offset)-\(other.count - 1)/\(other.count)"]
                try exchange.respond(206, headers: headers, body: other[offset...])
            default: try exchange.respond(headers: ["ETag: \"1\""], body: other)
            }
        }
        #expect(await resource(server.url()).download(to: target).completion().failure != nil)
        isMoved.open()
        #expect(await resource(server.url()).download(to: target).completion().failure == nil)
        #expect(try content == other)
        #expect(server.requests.map(\.target) == ["/", "/old", "/", "/new", "/", "/new"])
    }

    @Test func `A range that cannot be served makes the download start over`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 500_000))
        #expect(await download(server).failure != nil)
        server.change { $0 = .init(body: Data("short".utf8)) }
        #expect(await download(server).failure == nil)
        #expect(try content == Data("short".utf8))
    }

    @Test func `A server that gives less than the rest is asked for what is still missing`() async throws {
        let body = Self.body
        let server = try FileServer(.init(body: body, cut: 500_000))
        #expect(await download(server).failure != nil)
        server.change { content in
            content.cut = nil
            content.answersRange = { exchange, offset in
                let end = min(offset + 300_000, body.count)
                let headers = ["ETag: \"1\"", "Content-Range: bytes \(offset)-\(end - 1)/\(body.count)"]
                try exchange.respond(206, headers: headers, body: body[offset..<end])
                return true
            }
        }
        #expect(await download(server).failure == nil)
        #expect(try content == body)
        #expect(server.requests.count > 4)
    }

    @Test func `A server that gives a byte at a time is given up, and the next download goes on`() async throws {
        let body = Self.body
        let server = try FileServer(.init(body: body, cut: 500_000))
        #expect(await download(server).failure != nil)
        server.change { content in
            content.cut = nil
            content.answersRange = { exchange, offset in
                let headers = ["ETag: \"1\"", "Content-Range: bytes \(offset)-\(offset)/\(body.count)"]
                try exchange.respond(206, headers: headers, body: body[offset...offset])
                return true
            }
        }
        let error = try #require(await download(server).failure)
        let cause = try #require(error.cause as? RequestError.Failure)
        #expect(cause.code == .tooManyPartialResponses)
        #expect(cause.reason == "\(server.requests.count - 1) responses")
        #expect(server.requests.count <= 21)
        #expect(error.userMessage == "The server stopped sending before the response was complete.")
        server.change { $0.answersRange = nil }
        #expect(await download(server).failure == nil)
        #expect(try content == body)
        #expect(server.ranges.last != .some(nil))
    }

    @Test func `A record with a validator that cannot be sent is nothing to go on with`() async throws {
        let server = try FileServer(.init(body: Self.body))
        let validator = #"{"kind": "etag", "value": "\"1\"\r\nX-Evil: 1", "location": "\#(server.url)"}"#
        let record = #"{"url": "\#(server.url)", "validator": \#(validator)}"#
        _ = try folder.file(".file.part", Self.other.prefix(1000))
        _ = try folder.file(".file.part.json", Data(record.utf8))
        #expect(await download(server).failure == nil)
        #expect(try content == Self.body)
        #expect(server.ranges == [nil])
    }

    @Test func `A server that ignores the range sends everything, which is what the file has then`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 500_000))
        #expect(await download(server).failure != nil)
        server.change { $0 = .init(body: Self.body, validator: "never") }
        #expect(await download(server).failure == nil)
        #expect(try content == Self.body)
        #expect(server.requests.count == 2)
    }

    @Test
    func `A part of another URL, without a record, or with a broken one, is nothing to go on with`() async throws {
        let server = try FileServer(.init(body: Self.body))
        let validator = #"{"kind": "etag", "value": "\"1\"", "location": "x"}"#
        let record = #"{"request": "0123456789abcdef", "validator": \#(validator)}"#
        for text in [record, "{", nil] {
            _ = try folder.file(".file.part", Self.other.prefix(1000))
            if let text { _ = try folder.file(".file.part.json", Data(text.utf8)) }
            #expect(await download(server).failure == nil)
            #expect(try content == Self.body)
        }
        #expect(server.ranges == [nil, nil, nil])
        #expect(try folder.files == ["file"])
    }

    @Test func `A very long name has parts of its own, too`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 500_000))
        for end in ["1", "2"] {
            let file = folder.url.appendingPathComponent(String(repeating: "ö", count: 127) + end)
            #expect(await resource(server.url).download(to: file).completion().failure != nil)
        }
        #expect(try folder.files.count == 4)
    }

    @Test func `Only a GET is resumed, because another method could act twice`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 500_000))
        #expect(await download(server).failure != nil)
        server.change { content in
            content.cut = nil
            content.answersRange = { exchange, _ in
                try exchange.respond(416)
                return true
            }
        }
        let resource = resource(server.url)
        #expect(await resource.download(to: target) { $0.httpMethod = "POST" }.completion().failure == nil)
        #expect(server.requests.map(\.method) == ["GET", "POST"])
        server.change { $0.cut = 500_000 }
        #expect(await resource.download(to: target) { $0.httpMethod = "POST" }.completion().failure != nil)
        #expect(try folder.files == ["file"])
    }

    @Test func `A download of another URL that receives nothing leaves the part of the first`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 500_000))
        #expect(await download(server).failure != nil)
        let other = try LoopbackServer { try $0.respond(503) }
        #expect(await resource(other.url()).download(to: target).completion().failure != nil)
        #expect(try folder.files == [".file.part", ".file.part.json"])
        server.change { $0.cut = nil }
        #expect(await download(server).failure == nil)
        #expect(try content == Self.body)
        #expect(server.ranges.last != .some(nil))
    }
}
