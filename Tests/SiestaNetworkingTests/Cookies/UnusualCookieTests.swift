#if os(Linux)
import Foundation
import FoundationNetworking
import LoopbackServer
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Cookies with paths and values that few servers send. libcurl sends them, so that a service must know them.
@MainActor @Suite(.timeLimit(.test))
struct UnusualCookieTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private var file: URL { folder.url.appendingPathComponent("cookies.txt") }

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer { exchange in
            // The field in which the test asks for cookies contains their bytes in hexadecimal digits.
            let fields = exchange.request.headers("X-Set").first?.split(separator: " ").map { Data(digits: $0) } ?? []
            var response = Data("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n".utf8)
            for field in fields { response += Data("Set-Cookie: ".utf8) + field + Data("\r\n".utf8) }
            let sent = exchange.request.cookieBytes.map { String(format: "%02x", $0) }.joined()
            try exchange.send(response + Data("Content-Length: \(sent.utf8.count)\r\n\r\n\(sent)".utf8))
        }
    }

    private func service() -> Service { Service(baseURL: server.url(), cookies: .file(at: file)) }

    /// Returns the bytes of the `Cookie` field that the server receives.
    private func ask(_ service: Service, _ path: String = "/", set: [Data] = []) async -> Data {
        let fields = set.map { $0.map { String(format: "%02x", $0) }.joined() }.joined(separator: " ")
        let info = await service.resource(path).request(.get) { $0.setValue(fields, forHTTPHeaderField: "X-Set") }
            .completion()
        guard case .success(let entity) = info.response else { return Data("\(info.response)".utf8) }
        return Data(digits: entity.content as? String ?? "")
    }

    private func ask(_ service: Service, _ path: String = "/", set: String...) async -> String {
        String(decoding: await ask(service, path, set: set.map { Data($0.utf8) }), as: UTF8.self)
    }

    @Test(arguments: [
        (#""/ck""#, "/ck"), ("", "/"), ("foo", "/"), (#""""#, "/"), (#"""#, "/"), ("foo/ck", "/"), ("/ck", "/ck"),
        (#""/ck"#, "/ck"), (#"/ck""#, "/ck"), (#""foo""#, "/"), ("/ck/", "/ck"), (#""/ck/""#, "/ck"), ("TRUE", "/"),
        ("FALSE", "/"), ("\u{301}", "/"), ("/", "/"), ("http://127.0.0.1/ck", "/"),
    ])
    func `A cookie with any path is listed where it is sent, kept at a restart, and removed only by its name`(
        path: String, sentBelow: String
    ) async throws {
        let first = service()
        _ = await ask(first, "/ck/page", set: "ck=1; Path=\(path); Max-Age=1000", "other=1; Path=/; Max-Age=1000")
        #expect(Set(await first.cookies.map(\.name)) == ["ck", "other"])
        #expect(await first.cookies.first { $0.name == "ck" }?.path == sentBelow)
        await first.removeCookies { $0.name == "other" }
        #expect((await ask(first, sentBelow)) == "ck=1")
        #expect((await ask(first, "/elsewhere")) == (sentBelow == "/" ? "ck=1" : ""))
        let second = service()
        #expect((await ask(second, sentBelow)) == "ck=1")
        #expect(await second.cookies.map(\.path) == [sentBelow])
        _ = await ask(second, "/ck/page", set: "ck=2; Path=\(path); Max-Age=1000")
        #expect((await ask(second, sentBelow)) == "ck=2")
        #expect(await second.cookies.map(\.value) == ["2"])
        await second.removeCookies { $0.path == sentBelow }
        #expect((await ask(second, sentBelow)) == "")
        #expect(await second.cookies.isEmpty)
    }

    @Test(arguments: [
        Array("a\u{85}b".utf8), Array("a\u{2028}b\u{2029}c".utf8), Array("\u{301}e\u{301}".utf8), [0x61, 0xE9, 0x62],
        [0xFF, 0xC3], Array(#""a b,c\d""#.utf8), [], Array("jos\u{e9}".utf8),
    ])
    func `The bytes of a value stay the same after a restart, and after the removal of another cookie`(value: [UInt8])
        async throws
    {
        let cookie = Data("ck=".utf8) + Data(value)
        let first = service()
        let end = Data("; Path=/; Max-Age=1000".utf8)
        _ = await ask(first, set: [cookie + end, Data("other=1; Path=/; Max-Age=1000".utf8)])
        await first.removeCookies { $0.name == "other" }
        #expect(await ask(first, set: []) == cookie)
        #expect(await first.cookies.map(\.name) == ["ck"])
        let second = service()
        #expect(await ask(second, set: []) == cookie)
        #expect(await second.cookies.map(\.name) == ["ck"])
        await second.removeCookies()
        #expect(await ask(second, set: []) == Data())
    }
}

extension Data {
    fileprivate init(digits: some StringProtocol) {
        let values = digits.compactMap { $0.hexDigitValue.map { UInt8($0) } }
        self.init(stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }
}

extension ReceivedRequest {
    /// The value of the `Cookie` field.
    fileprivate var cookieBytes: Data {
        guard let start = bytes.range(of: Data("\r\nCookie: ".utf8)) else { return Data() }
        let rest = bytes[start.upperBound...]
        return Data(rest.prefix { $0 != UInt8(ascii: "\r") })
    }
}
#endif
