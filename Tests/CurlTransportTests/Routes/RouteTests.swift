#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// Routes to a server: Unix sockets, IPv6, overridden names, and proxies.
@Suite(.timeLimit(.test))
struct RouteTests {
    private static func origin() throws -> LoopbackServer {
        try LoopbackServer { try $0.respond(text: "origin") }
    }

    @Test func `Unix sockets carry any host`() async throws {
        let path = "/tmp/\(UUID().uuidString).socket"
        defer { unlink(path) }
        let server = try LoopbackServer(.unix(path: path)) { try $0.respond(text: $0.request.header("Host") ?? "") }
        let transport = try CurlTransport.fresh { $0.unixSocket = path }
        for host in ["docker", "example.com:99"] {
            #expect(await transport.get(try #require(URL(string: "http://\(host)/v1"))).text == host)
        }
        #expect(server.connectionCount == 2)
        let nobody = try CurlTransport.fresh { $0.unixSocket = path + "x" }
        let result = await nobody.get(try #require(URL(string: "http://docker/")))
        #expect([.noConnection, .refused].contains(result.failureKind))
    }

    @Test func `A cancel closes a connection through a SOCKS proxy after the name of the server was looked up`()
        async throws
    {
        let arrivals = Arrivals()
        let proxy = try LoopbackServer.serving { connection in
            _ = connection.receive()  // The methods.
            try connection.send(Data([5, 0]))
            _ = connection.receive()  // The address of the server.
            try connection.send(Data([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
            guard connection.head() != nil else { return }
            arrivals.arrive()
            connection.waitForDisconnect()
        }
        let url = try #require(URL(string: "socks5://127.0.0.1:\(proxy.port)"))
        let transport = try CurlTransport.fresh { $0.proxy = .url(url) }
        let ended = Gate()
        let task = transport.start(TransportRequest("GET", proxy.url("/", host: "localhost"))) { _ in ended.open() }
        await arrivals.next()
        task.cancel()
        await ended.wait()
        try await Poll.until { proxy.openConnectionCount == 0 }
    }

    @Test func `IPv6 literals and localhost are reached`() async throws {
        guard let server = try? LoopbackServer(.ipv6(), { try $0.respond(text: $0.request.header("Host") ?? "") })
        else {
            return  // a machine without IPv6
        }
        let transport = try CurlTransport.fresh()
        #expect(await transport.get(server.url("/a")).text == "[::1]:\(server.port)")
        let override = try CurlTransport.fresh { $0.hostOverrides = ["six.example:\(server.port)": "[::1]"] }
        #expect(await override.get(server.url("/", host: "six.example")).text == "six.example:\(server.port)")
    }

    @Test func `A name can be overridden, for its port alone`() async throws {
        let server = try Self.origin()
        let transport = try CurlTransport.fresh { $0.hostOverrides = ["api.invalid:\(server.port)": "127.0.0.1"] }
        #expect(await transport.get(server.url("/", host: "api.invalid")).text == "origin")
        #expect(await transport.get(try #require(URL(string: "http://api.invalid:1/"))).failureKind == .nameNotFound)
    }

    @Test func `A proxy gets the whole URL, with its credentials; hosts can be left out`() async throws {
        let proxy = try LoopbackServer { try $0.respond(text: "proxy") }
        let server = try Self.origin()
        let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(proxy.port)"))
        let transport = try CurlTransport.fresh {
            $0.proxy = .url(url)
            $0.noProxy = ["direct.example", "127.0.0.1"]
            $0.hostOverrides = ["sub.direct.example:\(server.port)": "127.0.0.1"]
        }
        #expect(await transport.get(try #require(URL(string: "http://far.example/a?b"))).text == "proxy")
        #expect(proxy.requests.last?.target == "http://far.example/a?b")
        #expect(proxy.requests.last?.header("Proxy-Authorization") == "Basic dXNlcjpzZWNyZXQ=")
        #expect(await transport.get(server.url()).text == "origin")
        #expect(await transport.get(server.url("/", host: "sub.direct.example")).text == "origin")
        #expect(server.requests.allSatisfy { $0.header("Proxy-Authorization") == nil })
    }

    @Test(arguments: [("user", "secret"), ("a:b@c/d", "p@ss:w/ö rd%41?#[]"), ("", "only"), ("only", "")])
    func `A proxy gets a user and a password with any characters, also for a tunnel`(
        _ user: String, _ password: String
    ) async throws {
        let wanted = "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
        let proxy = try LoopbackServer { exchange in
            guard exchange.request.header("Proxy-Authorization") == wanted else {
                return try exchange.respond(407, headers: ["Proxy-Authenticate: Basic realm=\"x\""], text: "no")
            }
            try exchange.respond(exchange.request.method == "CONNECT" ? 502 : 200, text: "in")
        }
        let choice = TransportOptions.Proxy.url(proxy.url(), user: user, password: password)
        let transport = try CurlTransport.fresh { $0.proxy = choice }
        #expect(await transport.get(try #require(URL(string: "http://far.example/a"))).text == "in")
        let tunnel = await transport.get(try #require(URL(string: "https://far.example/")))
        #expect(tunnel.failureKind == .proxy)
        #expect(proxy.requests.map { $0.header("Proxy-Authorization") } == [wanted, wanted])
        #expect(proxy.requests.last?.method == "CONNECT")
        guard case .failure(let error) = tunnel else { return }
        var shown = "\(choice) \(String(reflecting: choice)) \(error) \(error.message) \(transport.options)"
        dump(choice, to: &shown)
        dump(transport.options, to: &shown)
        #expect(password.isEmpty || !shown.contains(password) && !shown.contains("secret"))
        #expect(!shown.contains(wanted.dropFirst(6)))
    }

    @Test func `A message about a bad proxy does not contain its credentials`() async throws {
        for text in [
            "gopher://user:s3cret@127.0.0.1:1", "http://user:s3cret@127.0.0.1:99999", "http://user:s3cret@[::x]:1",
        ] {
            guard let url = URL(string: text) else { continue }
            guard let transport = try? CurlTransport.fresh({ $0.proxy = .url(url) }) else { continue }
            let result = await transport.get(try #require(URL(string: "http://far.example/")))
            guard case .failure(let error) = result else { continue }
            #expect(!error.message.contains("s3cret"))
            #expect(!error.description.contains("s3cret"))
        }
    }

    #if compiler(>=6.2)
    @Test func `A message about a proxy of the environment does not contain its password, whatever its characters`()
        async
    {
        await #expect(processExitsWith: .success) {
            let far = try #require(URL(string: "http://far.example/"))
            for password in ["s3cret word", "a\"s3cret", "a'b s3cret", "a<s3cret", "a|s3cret"] {
                setenv("http_proxy", "http://ada:\(password)@127.0.0.1:99999", 1)
                let result = await (try CurlTransport(options: TransportOptions())).get(far)
                guard case .failure(let error) = result else { continue }
                #expect(!error.message.contains("s3cret"), "\(error.message)")
                #expect(!error.message.contains("ada"), "\(error.message)")
            }
        }
    }
    #endif

    @Test(arguments: ["http://ada:PASSWORD@127.0.0.1:99999", "gopher://ada:PASSWORD@127.0.0.1:1"])
    func `A message about a proxy that is cut does not contain the password`(_ template: String) async throws {
        let password = String(repeating: "s3cret", count: 100)
        let url = try #require(URL(string: template.replacing("PASSWORD", with: password)))
        let transport = try CurlTransport.fresh { $0.proxy = .url(url) }
        guard case .failure(let error) = await transport.get(try #require(URL(string: "http://far.example/"))) else {
            Issue.record("There is no such proxy")
            return
        }
        #expect(!error.message.contains("s3cret"))
    }

    @Test func `A proxy that declines a tunnel, is not there, or is no proxy, is told apart`() async throws {
        let secure = try #require(URL(string: "https://far.example/"))
        for (status, kind) in [(407, TransportError.Kind.proxy), (403, .proxy), (502, .proxy)] {
            let proxy = try LoopbackServer { try $0.respond(status, text: "no") }
            let transport = try CurlTransport.fresh { $0.proxy = .url(proxy.url()) }
            #expect(await transport.get(secure).failureKind == kind)
            #expect(proxy.requests.last?.method == "CONNECT")
            #expect(await transport.get(proxy.url("/", host: "far.example")).status == status)
        }
        let port = try Socket.refusing()
        let address = try #require(URL(string: "http://127.0.0.1:\(try port.port)"))
        let gone = try CurlTransport.fresh { $0.proxy = .url(address) }
        #expect(await gone.get(secure).failureKind == .refused)
        let name = try #require(URL(string: "http://nobody.invalid:1"))
        let unknown = try CurlTransport.fresh { $0.proxy = .url(name) }
        #expect(await unknown.get(secure).failureKind == .nameNotFound)
    }

    #if compiler(>=6.2)
    @Test func `The environment names the proxy, and who does without it`() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackServer { try $0.respond(text: "proxy") }
            let server = try LoopbackServer { try $0.respond(text: "origin") }
            setenv("http_proxy", proxy.url().absoluteString, 1)
            setenv("no_proxy", "127.0.0.1,.direct.example", 1)
            let far = try #require(URL(string: "http://far.example/"))
            let asked = try CurlTransport(options: TransportOptions())
            #expect(await asked.get(far).text == "proxy")
            #expect(await asked.get(server.url()).text == "origin")
            let never = try CurlTransport.fresh { $0.hostOverrides = ["far.example:80": "127.0.0.1:1"] }
            #expect(await never.get(far).text != "proxy")
        }
    }
    #endif
}

/// Cookies: none by default; if an option enables them, they belong to one transport.
@Suite(.timeLimit(.test))
struct CookieTests {
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            try exchange.respond(
                headers: ["Set-Cookie: id=1; Path=/", "Set-Cookie: b=2; Path=/other"],
                text: exchange.request.headers("Cookie").joined(separator: "|"))
        }
    }

    @Test func `The cookies that a transport stores itself are limited, as those of a jar`() async throws {
        let count = Counter()
        let server = try LoopbackServer { exchange in
            try exchange.respond(headers: (0..<50).map { _ in "Set-Cookie: n\(count.next())=1; Path=/" }, text: "")
        }
        let transport = try CurlTransport.fresh { $0.keepsCookies = true }
        for _ in 0..<80 { #expect(await transport.get(server.url()).status == 200) }
        let stored = await withCheckedContinuation { continuation in
            transport.engine.commands.submit(
                .perform { continuation.resume(returning: $0.settings.cookies?.lines.count ?? 0) })
        }
        #expect(stored > 0)
        #expect(stored <= CookieLimit.total + CookieLimit.interval)
    }

    @Test func `Without a jar, Cookie and Set-Cookie are headers as any others`() async throws {
        let server = try Self.server()
        let transport = try CurlTransport.fresh()
        let response = try await transport.get(server.url()).get()
        #expect(response.head.headers.values(of: "Set-Cookie").count == 2)
        #expect(await transport.get(server.url()).text == "")
        let own = TransportRequest("GET", server.url(), headers: ["Cookie": "mine=1"])
        #expect(await transport.result(own).text == "mine=1")
    }

    @Test
    func `A jar keeps cookies by path and host, also over POSTs and redirects, for its transport alone`() async throws {
        let server = try Self.server()
        let transport = try CurlTransport.fresh { $0.keepsCookies = true }
        let other = try CurlTransport(options: transport.options)
        #expect(await transport.get(server.url()).text == "")
        #expect(await transport.get(server.url()).text == "id=1")
        #expect(await transport.result(TransportRequest("POST", server.url())).text == "id=1")
        #expect(await transport.get(server.url("/other")).text == "b=2; id=1")
        #expect(await transport.get(server.url("/", host: "localhost")).text == "")
        #expect(await other.get(server.url()).text == "")
        let own = TransportRequest("GET", server.url(), headers: ["Cookie": "mine=1"])
        #expect(await transport.result(own).text == "id=1; mine=1")
    }

    @Test func `Requests with different jars share connections, and never their cookies`() async throws {
        let server = try Self.server()
        let transport = try CurlTransport.fresh()
        let jars = [CookieJar(for: transport), CookieJar(for: transport)]
        #expect(jars.allSatisfy { !$0.mayHaveCookies })
        for jar in [jars[0], nil, jars[1], jars[0], nil] as [CookieJar?] {
            for method in ["GET", "POST"] {
                let before = await jar?.lines().count ?? 0
                var request = TransportRequest(method, server.url())
                request.cookieJar = jar
                #expect(await transport.result(request).text == (before > 0 ? "id=1" : ""))
                #expect(await jar?.lines().count == jar.map { _ in 2 })
            }
        }
        #expect(server.connectionCount == 1)
        #expect(jars.allSatisfy { $0.mayHaveCookies })
        await jars[0].remove { _ in true }
        #expect(await jars[0].lines().isEmpty)
        #expect(await jars[1].lines().count == 2)
    }

    @Test func `A secure cookie is neither taken from nor sent to a plain server, and public suffixes have no cookies`()
        async throws
    {
        let server = try LoopbackServer { exchange in
            let fields = ["s=1; Secure", "tld=1; Domain=test", "own=1", "sub=1; Domain=shop.test"]
            try exchange.respond(
                headers: fields.map { "Set-Cookie: \($0)" }, text: exchange.request.header("Cookie") ?? "")
        }
        let hosts = ["shop.test", "a.shop.test", "other.test"]
        let transport = try CurlTransport.fresh {
            for host in hosts { $0.hostOverrides["\(host):\(server.port)"] = "127.0.0.1" }
        }
        let jar = CookieJar(for: transport, loading: { [".shop.test\tTRUE\t/\tTRUE\t0\tloaded\t1"] })
        var received: [String] = []
        for host in ["shop.test"] + hosts {
            var request = TransportRequest("GET", server.url("/", host: host))
            request.cookieJar = jar
            received.append(await transport.result(request).text ?? "")
        }
        #expect(received[0] == "")
        #expect(received[3] == "")
        #expect(Set(received[1].split(separator: "; ")) == ["own=1", "sub=1"])
        #expect(received[2] == "sub=1")
    }

    @Test func `A jar takes any number of lines`() async throws {
        let transport = try CurlTransport.fresh()
        let lines = (0..<1000).map { "a.test\tFALSE\t/\tFALSE\t0\tn\($0)\t1" }
        let jar = CookieJar(for: transport, loading: { lines })
        #expect(await Set(jar.lines()) == Set(lines))
        await jar.remove { $0.hasSuffix("7\t1") }
        #expect(await jar.lines().count == 900)
    }

    @Test func `A jar loads its lines before the first request, and is released while the transport works`()
        async throws
    {
        let server = try Self.server()
        let transport = try CurlTransport.fresh()
        for number in 0..<50 {
            let line = "127.0.0.1\tFALSE\t/\tFALSE\t0\tloaded\t\(number)"
            var request = TransportRequest("GET", server.url())
            request.cookieJar = CookieJar(for: transport, loading: { [line, "no line"] })
            #expect(await transport.result(request).text == "loaded=\(number)")
        }
        #expect(await transport.get(server.url()).text == "")
    }
}
#endif
