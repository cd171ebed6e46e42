import Foundation
import Isolation
import LoopbackServer
import SiestaTransfers

import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

/// The cookies of services, with each provider of the library that keeps them.
@MainActor @Suite(.timeLimit(.test))
struct ServiceCookiesTests {
    nonisolated static let kinds = ["default", "URLSession"]

    /// A server that sets the cookies of the query item `set`, and responds with the `Cookie` fields it receives.
    static func server() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            let target = exchange.request.target
            let parts = URLComponents(string: "http://x\(target)")?.queryItems ?? []
            let values = parts.filter { $0.name == "set" }.compactMap(\.value)
            let location = parts.first { $0.name == "to" }?.value
            try exchange.respond(
                location == nil ? 200 : 302,
                headers: values.map { "Set-Cookie: \($0)" } + (location.map { ["Location: \($0)"] } ?? [])
                    + ["Content-Type: text/plain"],
                text: exchange.request.headers("Cookie").joined(separator: " | "))
        }
    }

    static func service(_ server: LoopbackServer, _ kind: String, _ cookies: CookieStorage = .inMemory) -> Service {
        let url = server.url()
        return kind == "default"
            ? Service(baseURL: url, cookies: cookies)
            : Service(baseURL: url, networking: URLSessionConfiguration.ephemeral, cookies: cookies)
    }

    /// Returns the cookies that the server receives.
    static func ask(
        _ service: Service, _ path: String = "/", _ method: RequestMethod = .get, set: [String] = [], to: String? = nil
    ) async -> String {
        var resource = service.resource(path)
        if let first = set.first { resource = resource.withParam("set", first) }
        if let to { resource = resource.withParam("to", to) }
        var url = resource.url
        for value in set.dropFirst() { url.append(queryItems: [URLQueryItem(name: "set", value: value)]) }
        let info = await service.resource(absoluteURL: url).request(method).completion()
        return text(of: info)
    }

    private static func text(of info: ResponseInfo) -> String {
        switch info.response {
        case .success(let entity):
            (entity.content as? String) ?? String(decoding: entity.content as? Data ?? Data(), as: UTF8.self)
        case .failure(let error): "\(error)"
        }
    }

    @Test(arguments: kinds)
    func `A log-in by cookie works, for its service alone`(_ kind: String) async throws {
        let server = try Self.server()
        let (ada, bob) = (Self.service(server, kind), Self.service(server, kind))
        #expect((await Self.ask(ada, "/login", .post, set: ["session=ada; Path=/; HttpOnly"])) == "")
        #expect((await Self.ask(bob, "/login", .post, set: ["session=bob; Path=/"])) == "")
        for method in [RequestMethod.get, .post, .put, .delete] {
            #expect((await Self.ask(ada, "/me", method)) == "session=ada")
            #expect((await Self.ask(bob, "/me", method)) == "session=bob")
        }
        #expect(await ada.cookies.map(\.value) == ["ada"])
        let cookie = try #require(await ada.cookies.first)
        #expect(cookie.domain == "127.0.0.1")
        #expect(cookie.path == "/")
        #expect(cookie.expires == nil)
        #expect(!cookie.isSecure)
        #expect(!"\(cookie)".contains("ada"))
        #expect(!String(reflecting: cookie).contains("ada"))
        #expect((await Self.ask(Self.service(server, kind), "/me")) == "")
    }

    @Test(arguments: kinds)
    func `A service without a place for cookies keeps none`(_ kind: String) async throws {
        let server = try Self.server()
        let service = Self.service(server, kind, .none)
        #expect((await Self.ask(service, set: ["a=1"])) == "")
        #expect((await Self.ask(service)) == "")
        #expect(await service.cookies.isEmpty)
        await service.removeCookies()
    }

    @Test(arguments: kinds)
    func `The rules of cookies apply, and redirects set and receive them`(_ kind: String) async throws {
        let server = try Self.server()
        let service = Self.service(server, kind)
        #expect((await Self.ask(service, "/start", set: ["a=1; Path=/"], to: "/next")) == "a=1")
        #expect(
            await Self.ask(service, set: ["deep=1; Path=/deep/", "far=1; Domain=far.test"]) == "a=1")
        #expect((await Self.ask(service)) == "a=1")
        #expect(await Self.ask(service, "/deep/er").contains("deep=1"))
        #expect((await Self.ask(service, "/deeper")) == "a=1")
        #expect((await Self.ask(service, set: ["b=2; Max-Age=1000", "a=1; Path=/; Max-Age=0"])) == "a=1")
        #expect((await Self.ask(service)) == "b=2")
        #expect((await Self.ask(service, set: ["b=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])) == "b=2")
        #expect((await Self.ask(service)) == "")
        #expect((await service.cookies.map(\.name)) == ["deep"])
        let elsewhere = service.resource(absoluteURL: server.url("/deep/", host: "localhost"))
        #expect(Self.text(of: await elsewhere.load().completion()) == "")
    }

    @Test(arguments: kinds)
    func `A Cookie header of the app is sent in addition, in one field`(_ kind: String) async throws {
        let server = try Self.server()
        let service = Self.service(server, kind)
        service.configure { $0.headers["Cookie"] = "mine=1" }
        #expect((await Self.ask(service, set: ["a=1"])) == "mine=1")
        #expect((await Self.ask(service)) == "a=1; mine=1")
        #expect((await service.cookies.map(\.name)) == ["a"])
    }

    @Test(arguments: kinds)
    func `Cookies are listed and removed`(_ kind: String) async throws {
        let server = try Self.server()
        let service = Self.service(server, kind)
        #expect(await service.cookies.isEmpty)
        _ = await Self.ask(service, set: ["a=1", "b=2; Max-Age=100", "c="])
        #expect((await service.cookies.map(\.name).sorted()) == ["a", "b", "c"])
        let end = try #require(await service.cookies.first { $0.name == "b" }?.expires)
        #expect(abs(end.timeIntervalSinceNow - 100) < 60)
        await service.removeCookies { $0.name == "b" }
        #expect((await service.cookies.map(\.name).sorted()) == ["a", "c"])
        #expect(!(await Self.ask(service)).contains("b="))
        await service.removeCookies()
        #expect(await service.cookies.isEmpty)
        #expect((await Self.ask(service)) == "")
    }

    @Test(arguments: kinds)
    func `Dropped cookies end at once, and a request in flight cannot set new ones`(_ kind: String) async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/slow" {
                arrived.open()
                try exchange.wait(for: gate)
                return try exchange.respond(302, headers: ["Set-Cookie: old=2; Path=/", "Location: /end"])
            }
            try exchange.respond(
                headers: ["Set-Cookie: old=1; Path=/"], text: exchange.request.header("Cookie") ?? "none")
        }
        let service = Self.service(server, kind)
        _ = await service.resource("/first").load().completion()
        let slow = service.resource("/slow").request(.get)
        await arrived.wait()
        service.context.transport.dropCookies()
        #expect(await service.cookies.isEmpty)
        gate.open()
        #expect(Self.text(of: await slow.completion()) == "old=2", "The request keeps its own jar")
        #expect(await service.cookies.isEmpty)
        #expect(Self.text(of: await service.resource("/again").load().completion()) == "none")
        #expect((await service.cookies.map(\.name)) == ["old"])
        await service.context.transport.cookiesAreGone()
    }

    /// A body that is read before the request is sent: its end waits for a gate.
    private struct HeldBody: StreamedBody {
        let length: Int64?
        let isRepeatable: Bool
        let asked = Gate()
        let gate = Gate()

        func makeReader() -> any BodyReader { Reader(asked: asked, gate: gate) }

        private struct Reader: BodyReader {
            let asked: Gate
            let gate: Gate

            func next() async throws -> Data? {
                asked.open()
                await gate.wait()
                return nil
            }
        }
    }

    @Test(arguments: kinds)
    func `A request whose body is read before it is sent keeps the cookies of its start`(_ kind: String) async throws {
        let server = try LoopbackServer { try $0.respond(headers: ["Set-Cookie: late=1; Path=/"]) }
        let service = Self.service(server, kind)
        let body = HeldBody(length: kind == "default" ? 0 : nil, isRepeatable: kind != "default")
        var request = URLRequest(url: server.url("/up"))
        request.httpMethod = "POST"
        var call = TransportCall(request)
        call.body = body
        let (status, ended) = (Locked<Int?>(nil), Gate())
        let networking = service.context.transport.transport.send(call) { response in
            status.withLock { $0 = response.head?.status }
            ended.open()
        }
        await body.asked.wait()
        service.context.transport.dropCookies()
        body.gate.open()
        await ended.wait()
        #expect(status.withLock { $0 } == 200)
        #expect(await service.cookies.isEmpty)
        withExtendedLifetime(networking) {}
    }

    @Test(arguments: kinds)
    func `Uploads, downloads and streams have the cookies, too`(_ kind: String) async throws {
        let server = try Self.server()
        let service = Self.service(server, kind)
        _ = await Self.ask(service, set: ["a=1; Path=/"])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID().uuidString)")
        try Data("x".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = await service.resource("/up").request(.post, body: .file(file, contentType: "a/b")).completion()
        for try await _ in service.resource("/bytes").bytes {}
        let target = file.appendingPathExtension("target")
        _ = await service.resource("/down").download(to: target).completion()
        try? FileManager.default.removeItem(at: target)
        #expect(server.requests.count == 4)
        #expect(server.requests.dropFirst().allSatisfy { $0.header("Cookie") == "a=1" })
    }

    @Test(arguments: kinds)
    func `A response that sets a cookie makes Vary count for cookies, and no response before`(_ kind: String)
        async throws
    {
        let server = try Self.server()
        let service = Self.service(server, kind)
        _ = await Self.ask(service)
        #expect(service.context.transport.addedFields.keepsCookies == false)
        _ = await Self.ask(service, set: ["a=1"])
        #expect(service.context.transport.addedFields.keepsCookies == true)
        service.context.transport.dropCookies()
        #expect(service.context.transport.addedFields.keepsCookies == false)
        #expect(Self.service(server, kind, .none).context.transport.addedFields.keepsCookies == false)
    }

    @Test(arguments: kinds)
    func `Data that varies by cookies is not fresh after a cookie has changed, and no condition names its version`(
        _ kind: String
    ) async throws {
        let server = try LoopbackServer { exchange in
            let target = exchange.request.target
            try exchange.respond(
                headers: target.hasPrefix("/login")
                    ? ["Set-Cookie: sid=\(target.suffix(1)); Path=/"]
                    : ["Vary: Cookie", "Cache-Control: max-age=1000", "ETag: \"1\""],
                text: exchange.request.header("Cookie") ?? "nobody")
        }
        let service = Self.service(server, kind)
        service.configure { $0.freshness = .http }
        let resource = service.resource("/me")
        await resource.load().completion()
        #expect(resource.isUpToDate)
        for number in 1...2 {
            _ = await Self.ask(service, "/login/\(number)", .post)
            #expect(!resource.isUpToDate)
            await resource.load().completion()
            #expect(server.requests.last?.header("Cookie") == "sid=\(number)")
            #expect(server.requests.last?.header("If-None-Match") == nil)
        }
    }

    @Test(arguments: kinds)
    func `Damaged and oversized cookies do no harm`(_ kind: String) async throws {
        let server = try LoopbackServer { exchange in
            let long = String(repeating: "x", count: 20_000)
            try exchange.respond(headers: [
                "Set-Cookie: ", "Set-Cookie: ;;;", "Set-Cookie: =", "Set-Cookie: big=\(long)", "Set-Cookie: \(long)=1",
                "Set-Cookie: t=a\tb", "Set-Cookie: good=1",
            ])
        }
        let service = Self.service(server, kind)
        _ = await service.resource("/").load().completion()
        _ = await service.resource("/").load().completion()
        #expect(await service.cookies.contains { $0.name == "good" })
        #expect(server.requests.last?.header("Cookie")?.contains("good=1") == true)
    }

    @Test func `A provider of the app receives no cookies`() async throws {
        let network = StubNetwork()
        let service = Service(baseURL: "http://stub.test", networking: network, cookies: .inMemory)
        network.answer(.get, "/", with: .text("x", headers: ["Set-Cookie": "a=1"]))
        _ = await service.resource("/").load().completion()
        #expect(await service.cookies.isEmpty)
    }

    #if os(Linux)
    @Test func `Of thousands of cookies, the last three thousand are kept, listed and removed`() async throws {
        let count = Locked(0)
        let server = try LoopbackServer { exchange in
            let first = count.withLock { count in
                defer { count += 50 }
                return count
            }
            try exchange.respond(headers: (0..<50).map { "Set-Cookie: n\(first + $0)=\($0); Path=/p\(first + $0)" })
        }
        let service = Self.service(server, "default")
        let requests = TestLevel.count(80, nightly: 200)
        for _ in 0..<requests { _ = await service.resource("/").request(.get).completion() }
        #expect(3000...3500 ~= (await service.cookies.count))
        let kept = requests * 50 - 23
        await service.removeCookies { $0.path != "/p\(kept)" }
        #expect((await service.cookies.map(\.name)) == ["n\(kept)"])
    }

    @Test func `The options of a provider win, and services share connections`() async throws {
        let server = try Self.server()
        var options = CurlProvider.Options()
        options.userAgent = UUID().uuidString  // shares no connections with other tests
        let (one, two) = (CurlProvider(options: options), CurlProvider(options: options))
        for provider in [one, two, one] {
            let service = Service(baseURL: server.url(), networking: provider)
            #expect((await Self.ask(service, set: ["a=1"])) == "")
            #expect((await Self.ask(service)) == "a=1")
        }
        #expect(server.connectionCount == 1)
        options.keepsCookies = true
        let own = CurlProvider(options: options)
        _ = await Self.ask(Service(baseURL: server.url(), networking: own), set: ["a=1"])
        #expect(await Self.ask(Service(baseURL: server.url(), networking: own, cookies: .none)) == "a=1")
    }
    #endif

    @Test(arguments: kinds)
    func `A cookie is sent to its own path, also with a slash at the end and with escapes`(_ kind: String) async throws
    {
        let server = try Self.server()
        let service = Self.service(server, kind)
        _ = await Self.ask(service, set: ["deep=1; Path=/deep/", "cafe=1; Path=/caf%C3%A9"])
        #expect(await Self.ask(service, "/deep/") == "deep=1")
        #expect(await Self.ask(service, "/deep/er/") == "deep=1")
        #expect(await Self.ask(service, "/deeper/") == "")
        for path in ["/caf%C3%A9", "/caf%C3%A9/", "/caf%C3%A9/x"] {
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
            let info = await service.resource(absoluteURL: url).request(.get).completion()
            #expect(Self.text(of: info) == "cafe=1")
        }
    }

    @Test func `A delayed request keeps the cookies of its start`() async throws {
        let server = try LoopbackServer { try $0.respond(headers: ["Set-Cookie: late=1; Path=/"]) }
        let clock = TestClock()
        var rates = FaultRates.none
        (rates.delay, rates.delaySeconds) = (1, 10...10)
        let service = clock.whileCurrent {
            Service(
                baseURL: server.url().absoluteString,
                networking: FaultyNetwork(DefaultNetworking(), seed: 1, rates: rates))
        }
        let load = service.resource("/x").load()
        service.context.transport.dropCookies()
        try await clock.advanceUntilSettled(service)
        #expect(await load.completion().failure == nil)
        #expect(await service.cookies.isEmpty)
    }
}
