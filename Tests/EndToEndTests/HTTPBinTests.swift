import Foundation
import SiestaRetrying
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests and responses of httpbin, a server for the test of HTTP clients.
@MainActor
@Suite(.timeLimit(.test), .enabled(if: ForeignServer.httpbin.isRunning, "Run .ci/servers to start httpbin"))
struct HTTPBinTests {
    @Test(arguments: NetworkingKind.allCases)
    func `Methods, bodies, queries and headers arrive as they were given`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.httpbin.service(over: transport)
        service.configure { $0.headers["X-Thing"] = "a b" }
        let resource = service.resource("/anything").withParam("q", "ä &").withParam("z", "1")
        for method in [RequestMethod.post, .put, .patch, .delete] {
            let echo = try await resource.request(method, json: ["a": [1, 2]] as [String: Any]).completion().object()
            #expect(echo["method"] as? String == method.rawValue.uppercased())
            #expect((echo["json"] as? [String: [Int]]) == ["a": [1, 2]])
            #expect((echo["args"] as? [String: String]) == ["q": "ä &", "z": "1"])
            #expect((echo["headers"] as? [String: String])?["X-Thing"] == "a b")
        }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Redirects are followed, absolute or relative, until there are too many`(over transport: NetworkingKind)
        async throws
    {
        let service = try ForeignServer.httpbin.service(over: transport)
        for path in ["/redirect/5", "/relative-redirect/4", "/absolute-redirect/3"] {
            let end = try await service.resource(path).load().completion().object()
            #expect((end["url"] as? String)?.hasSuffix("/get") == true)
        }
        let endless = await service.resource("/redirect/21").load().completion()
        #expect(endless.failure?.userMessage == "The server redirected the request too many times.")
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A 307 keeps method and body, a 303 does not`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.httpbin.service(over: transport)
        for (status, method, data) in [("307", "POST", "abc"), ("303", "GET", "")] {
            let moved = service.resource("/redirect-to").withParam("url", "/anything").withParam("status_code", status)
            let request = moved.request(.post, data: Data("abc".utf8), contentType: "text/x")
            let echo = try await request.completion().object()
            #expect(echo["method"] as? String == method)
            #expect(echo["data"] as? String == data)
        }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Challenges are answers; credentials in a header are accepted`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.httpbin.service(over: transport)
        for path in ["/basic-auth/ada/engine", "/bearer", "/digest-auth/auth/ada/engine"] {
            #expect(await service.resource(path).load().completion().failure?.httpStatusCode == 401)
        }
        service.configure("/basic-auth/**") { $0.headers["Authorization"] = "Basic YWRhOmVuZ2luZQ==" }
        service.configure("/bearer") { $0.headers["Authorization"] = "Bearer token" }
        let basic = try await service.resource("/basic-auth/ada/engine").load().completion().object()
        #expect(basic["authenticated"] as? Bool == true)
        #expect(try await service.resource("/bearer").load().completion().object()["token"] as? String == "token")
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Encoded bodies are decoded, in every encoding that is asked for`(over transport: NetworkingKind) async throws
    {
        let service = try ForeignServer.httpbin.service(over: transport)
        let sent = try await service.resource("/headers").load().completion().object()["headers"] as? [String: String]
        let accepted = sent?["Accept-Encoding"] ?? ""
        #expect(accepted.contains("gzip"))
        for (path, flag) in [("/gzip", "gzipped"), ("/deflate", "deflated"), ("/brotli", "brotli")]
        where path != "/brotli" || accepted.contains("br") {
            #expect(try await service.resource(path).load().completion().object()[flag] as? Bool == true)
        }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A range is delivered as a part`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.httpbin.service(over: transport)
        service.configure { $0.headers["Range"] = "bytes=10-19" }
        let part = try await service.resource("/range/26").load().completion().entity()
        #expect(part.content as? Data == Data("klmnopqrst".utf8))
        #expect(part.header(forKey: "Content-Range") == "bytes 10-19/26")
    }

    @Test(arguments: NetworkingKind.allCases)
    func `An entity tag saves the second transfer`(over transport: NetworkingKind) async throws {
        let resource = try ForeignServer.httpbin.service(over: transport).resource("/etag/one")
        #expect(await resource.load().completion().isNew)
        #expect(resource.latestData?.etag == "one")
        #expect(await resource.load().completion().isNew == false)
        #expect(resource.latestError == nil)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A body that drips or streams arrives whole`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.httpbin.service(over: transport)
        let drip = service.resource("/drip").withParam("duration", "1").withParam("numbytes", "7").withParam(
            "delay", "0")
        #expect(try await drip.load().completion().entity().content as? Data == Data(repeating: 42, count: 7))
        let stream = service.resource("/stream-bytes/100000").withParam("chunk_size", "777")
        #expect((try await stream.load().completion().entity().content as? Data)?.count == 100_000)
        let lines = await service.resource("/stream/50").load().completion()
        #expect(lines.failure?.userMessage == "Cannot parse server response")  // lines of JSON are not JSON
        #expect((lines.failure?.entity?.content as? Data)?.split(separator: 10).count == 50)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Statuses are told apart, and repeated fields joined`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.httpbin.service(over: transport)
        for status in [400, 404, 418, 500, 503] {
            let failure = await service.resource("/status/\(status)").load().completion().failure
            #expect(failure?.httpStatusCode == status)
        }
        let address = try #require(ForeignServer.httpbin.address)
        let repeated = service.resource(absoluteURL: address + "/response-headers?X-Part=1&X-Part=2")
        #expect(try await repeated.load().completion().entity().header(forKey: "x-part") == "1, 2")
        let image = try await service.resource("/image/png").load().completion().entity()
        #expect(image.contentType == "image/png")
        #expect(!(image.content is Data))
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A slow answer can be cancelled, and takes nobody along`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.httpbin.service(over: transport)
        let slow = (0..<4).map { _ in service.resource("/delay/8").request(.get) }
        #expect(try await service.resource("/get").load().completion().entity().contentType == "application/json")
        for request in slow { request.cancel() }
        for request in slow { #expect(await request.completion().response.isCancellation) }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Cookies are kept for the service`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.httpbin.service(over: transport)
        let kept = try await service.resource("/cookies/set/flavour/oat").load().completion().object()
        #expect(kept["cookies"] as? [String: String] == ["flavour": "oat"])
        #expect(await service.cookies.map(\.name) == ["flavour"])
        let other = Service(baseURL: service.baseURL, cookies: .none)
        #expect(
            try await other.resource("/cookies").load().completion().object()["cookies"] as? [String: String] == [:])
    }

    #if os(Linux)
    @Test(arguments: ["MD5", "SHA-256"])
    func `libcurl signs in with Digest`(_ algorithm: String) async throws {
        let service = try ForeignServer.httpbin.service()
        let url = service.resource("/digest-auth/auth/ada/s3cret/\(algorithm)").url
        for (password, status) in [("s3cret", 200), ("wrong", 401)] {
            var call = TransportCall(URLRequest(url: url))
            call.extras = RequestExtras(login: .init(user: "ada", password: password, scheme: .digest))
            let received: Int? = await withCheckedContinuation { continuation in
                _ = service.context.transport.transport.start(call) {
                    continuation.resume(returning: $0.head?.status)
                }
            }
            #expect(received == status)
        }
    }
    #endif

    @Test func `A server that is not available is asked four times, a missing page and a POST once`() async throws {
        let service = try ForeignServer.httpbin.service()
        service.configure {
            $0.retry = .standard
            $0.retry.firstDelay = 0.1
        }
        let down = await service.resource("/status/503").load().completion()
        #expect(down.failure?.httpStatusCode == 503)
        #expect(down.metrics?.attempts == 4)
        let missing = await service.resource("/status/404").load().completion()
        #expect(missing.failure?.httpStatusCode == 404)
        #expect(missing.metrics?.attempts ?? 1 == 1)
        let post = await service.resource("/status/503").request(.post).completion()
        #expect(post.failure?.httpStatusCode == 503)
        #expect(post.metrics?.attempts ?? 1 == 1)
    }

    @Test func `Sessions sign in with Basic, Bearer and Digest`() async throws {
        let service = try ForeignServer.httpbin.service()
        let authenticators: [(any Authenticator, Credential, String)] = [
            (BasicAuthentication(), Credential(user: "ada", password: "engine"), "/basic-auth/ada/engine"),
            (BearerToken(), Credential("token"), "/bearer"),
            (DigestAuthentication(), Credential(user: "ada", password: "engine"), "/digest-auth/auth/ada/engine"),
        ]
        for (authenticator, credential, path) in authenticators {
            service.authenticate(with: authenticator)
            #expect(await service.resource(path).load().completion().failure?.httpStatusCode == 401)
            try await service.signIn("ada", with: credential)
            #expect(try await service.resource(path).load().completion().object()["authenticated"] as? Bool == true)
            var wrong = credential
            wrong.secret = "wrong"
            try await service.signIn("bob", with: wrong)
            let isToken = path == "/bearer"  // httpbin accepts every token
            let failure = await service.resource(path).load().completion().failure
            #expect(isToken ? failure == nil : failure?.cause is SessionExpired)
            await service.signOut()
        }
    }
}
