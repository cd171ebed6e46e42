import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

@MainActor
final class CountingProvider: NetworkingProvider {
    private let next: any NetworkingProvider
    private(set) var requests = 0

    init(_ next: any NetworkingProviderConvertible = DefaultNetworking()) {
        self.next = next.siestaNetworkingProvider
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        requests += 1
        return next.startRequest(request, completion: completion)
    }
}

extension Samples {
    /// The article "Networking".
    @MainActor
    struct Networking {
        let server = stage.newServer()

        init() {
            server.answer("GET /thing", .text("a thing"))
        }

        @Test func `The default networking needs no argument`() async throws {
            let service = Service(baseURL: "https://api.example.com")
            #expect(try await service.resource("/thing").load().value.content() == "a thing")
        }

        @Test func `A session configuration is a networking`() async throws {
            let cached = Service(baseURL: "https://api.example.com", networking: URLSessionConfiguration.ephemeral)
            #expect(try await cached.resource("/thing").load().value.content() == "a thing")
        }

        #if os(Linux)
        @Test func `libcurl has options`() async throws {
            var options = TransportOptions()
            options.caFile = "/etc/ssl/our-own.pem"
            options.connectTimeout = 5
            options.totalTimeout = 60
            options.bodyBytes = 10_000_000
            options.proxy = .none
            let internalAPI = Service(baseURL: "https://api.internal", networking: CurlProvider(options: options))
            #expect(try await internalAPI.resource("/thing").load().value.content() == "a thing")
            server.answer("GET /thing", .bytes(Data(count: 10_000_001)))
            await #expect(throws: RequestError.self) { _ = try await internalAPI.resource("/thing").load().value }
        }

        @Test func `libcurl connects to a Unix socket`() async throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let daemon = try SampleServer(.unix(path: path))
            daemon.answer("GET /version", .json(#"{"Version": "28"}"#))
            var toDocker = TransportOptions()
            toDocker.unixSocket = "/var/run/docker.sock"
            toDocker.unixSocket = path  // sample.hidden
            let docker = Service(baseURL: "http://docker", networking: CurlProvider(options: toDocker))
            let version = try await docker.resource("/version").load().value
            #expect(version.jsonDict["Version"] as? String == "28")
        }
        #endif

        #if os(Linux)
        @Test func `A proxy has a password`() throws {
            var options = TransportOptions()
            if let url = URL(string: "http://proxy.internal:3128") {
                options.proxy = .url(url, user: "ada", password: "p@ss:word")
            }
            let url = try #require(URL(string: "http://ada:p%40ss%3Aword@proxy.internal:3128"))
            #expect(options.proxy == .url(url))
        }
        #endif

        @Test func `Cookies have a place, and can be listed and removed`() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            let file = folder.appendingPathComponent("cookies.txt")
            let shop = Service(baseURL: "https://shop.example.com", cookies: .file(at: file))
            let anonymous = Service(baseURL: "https://api.example.com", cookies: .none)
            #expect(try await anonymous.resource("/thing").load().value.content() == "a thing")
            for cookie in await shop.cookies {
                print(cookie.name, cookie.domain, cookie.expires ?? "end of the session")
            }
            await shop.removeCookies { $0.name == "cart" }
            await shop.removeCookies()
            #expect(stage.printed.isEmpty)
        }

        @Test func `A doc comment about cookies`() async throws {
            let service = Service(baseURL: "https://api.example.com", cookies: .none)
            #expect(try await service.resource("/thing").load().value.content() == "a thing")
        }

        @Test func `The User-Agent can be changed and removed`() async throws {
            let named = Service(
                baseURL: "https://api.example.com", networking: DefaultNetworking(userAgent: "Browser/3.1"))
            let silent = Service(baseURL: "https://api.example.com", networking: DefaultNetworking(userAgent: nil))
            for service in [named, silent] {
                #expect(try await service.resource("/thing").load().value.content() == "a thing")
            }
        }

        @Test func `Errors name the failure`() async throws {
            server.answer("GET /thing", .failure)
            let service = Service(baseURL: "https://api.example.com")
            service.resource("/thing").load().onFailure { error in
                print(error.userMessage)  // "The server took too long to respond."
                switch (error.cause as? URLError)?.code {
                case .timedOut, .networkConnectionLost: print("worth another try")
                case .notConnectedToInternet: print("wait for a network")
                default: break
                }
                #if os(Linux)
                if let failure = error.transportError {
                    print(failure.kind, failure.curlCode ?? 0, failure.message)
                }
                #endif
            }
            try await stage.hasPrinted("worth another try")
            #expect(stage.printed.first == "The connection to the server was lost before the response was complete.")
            #if os(Linux)
            #expect(stage.printed.count == 3)
            #endif
        }

        #if os(Linux)
        @Test func `Responses have metrics`() async throws {
            let service = Service(baseURL: "https://api.example.com")
            service.resource("/thing").load().onCompletion { info in
                guard let metrics = info.metrics else { return }
                print(
                    "first byte after \(metrics.firstByte ?? 0) s, \(metrics.responseBytes) bytes, HTTP/\(metrics.httpVersion ?? "?")"
                )
            }
            try await stage.hasPrinted("first byte after ")
            #expect(stage.printed.first?.hasSuffix(" s, 7 bytes, HTTP/1.1") == true)
        }
        #endif

        @Test func `A provider counts requests`() async throws {
            let provider = CountingProvider()
            let counted = Service(baseURL: "https://api.example.com", networking: provider)
            _ = try await counted.resource("/thing").load().value
            #expect(provider.requests == 1)
        }

        @Test func `An async function is a networking`() async throws {
            let session = URLSession(configuration: .ephemeral)
            let overSession = AsyncNetworkingProvider { request in
                let (body, response) = try await session.data(for: request)
                guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                return (body, head)
            }
            let sessionAPI = Service(baseURL: "https://api.example.com", networking: overSession)
            #expect(try await sessionAPI.resource("/thing").load().value.content() == "a thing")
        }

        @Test func `A stub network needs no server`() async throws {
            let network = StubNetwork()
            network.answer(.get, "/users/42", with: .json(#"{"name": "Ada"}"#), .failure(.timedOut))
            let clock = TestClock()
            let tested = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
            let user = tested.resource("/users/42")
            await user.load().completion()
            #expect(user.jsonDict["name"] as? String == "Ada")
            clock.advance(by: 31)
            await user.loadIfNeeded()?.completion()
            #expect((user.latestError?.cause as? URLError)?.code == .timedOut)
            #expect(server.received.isEmpty)
        }
    }
}
