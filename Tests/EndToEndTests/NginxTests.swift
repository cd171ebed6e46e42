import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

/// Requests to nginx, and its responses.
@MainActor
@Suite(.timeLimit(.test), .enabled(if: ForeignServer.nginx.isRunning, "Run .ci/servers to start nginx"))
struct NginxTests {
    @Test(arguments: NetworkingKind.allCases)
    func `A file is loaded, and confirmed by its entity tag`(over transport: NetworkingKind) async throws {
        let resource = try ForeignServer.nginx.service(over: transport).resource("/small.txt")
        #expect(try await resource.load().completion().entity().content as? String == "a small file")
        #expect(await resource.load().completion().isNew == false)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `20 MB arrive, at once and in ranges, and are the same`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.nginx.service(over: transport)
        let whole = try #require(try await service.resource("/large").load().completion().entity().content as? Data)
        #expect(whole.count == 20_000_000)
        var parts = Data()
        for start in stride(from: 0, to: 20_000_000, by: 5_000_000) {
            let request = service.resource("/large").request(.get) { request in
                request.setValue("bytes=\(start)-\(start + 4_999_999)", forHTTPHeaderField: "Range")
            }
            parts += try #require(try await request.completion().entity().content as? Data)
        }
        #expect(parts == whole)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Compressed JSON is decoded`(over transport: NetworkingKind) async throws {
        let info = await (try ForeignServer.nginx.service(over: transport)).resource("/long.json").load().completion()
        #expect((try info.object()["text"] as? String)?.count == 20_000)
        #expect(try info.entity().header(forKey: "Content-Encoding") == "gzip")
        #expect(info.metrics.map { $0.responseBytes < 10_000 } ?? (transport == .session))
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A folder without its slash, a loop, a connection closed without a word`(over transport: NetworkingKind)
        async throws
    {
        let service = try ForeignServer.nginx.service(over: transport)
        #expect(try await service.resource("/folder").load().completion().entity().content as? String == "index")
        let loop = await service.resource("/loop").load().completion()
        #expect(loop.failure?.userMessage == "The server redirected the request too many times.")
        let gone = await service.resource("/gone").load().completion()
        #expect((gone.failure?.cause as? URLError)?.code == .networkConnectionLost)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `What needs a password is refused without it`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.nginx.service(over: transport)
        let refused = await service.resource("/private/small.txt").load().completion()
        #expect(refused.failure?.httpStatusCode == 401)
        service.configure { $0.headers["Authorization"] = "Basic YWRhOmVuZ2luZQ==" }
        let allowed = try await service.resource("/private/small.txt").load().completion().entity()
        #expect(allowed.content as? String == "a small file")
    }

    @Test(arguments: NetworkingKind.allCases)
    func `An upload over the server's limit is refused with its answer`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.nginx.service(over: transport)
        for count in [1_100_000, 8_000_000] {
            let upload = service.resource("/upload").request(.post, data: Data(count: count), contentType: "text/x")
            #expect(await upload.completion().failure?.httpStatusCode == 413)
        }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Connections that the server closes after a few requests are replaced`(over transport: NetworkingKind)
        async throws
    {
        let service = try ForeignServer.nginx.service(over: transport)
        for round in 0..<10 {
            let requests = (0..<20).map { _ in service.resource("/small.txt").request(.get) }
            for request in requests {
                #expect(try await request.completion().entity().content as? String == "a small file", "round \(round)")
            }
        }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A body that comes slowly shows its progress`(over transport: NetworkingKind) async throws {
        let service = try ForeignServer.nginx.service(over: transport)
        service.configure {
            $0.progressReportingInterval = 0.02
            $0.headers["Accept-Encoding"] = "identity"
        }
        var reported: [Double] = []
        await service.resource("/slow/long.json").load().onProgress { reported.append($0) }.completion()
        #expect(reported.contains { $0 > 0 && $0 < 1 })
        #expect(reported == reported.sorted())
        #expect(reported.last == 1)
    }

    #if os(Linux)
    @Test func `A hundred requests share one connection over TLS and HTTP/2`() async throws {
        let service = try Self.secureService { $0.httpVersion = .http2OverTLS }
        let first = await service.resource("/small.txt").load().completion()
        #expect(first.metrics?.httpVersion == "2")
        #expect(first.metrics?.secureConnect ?? 0 > 0)
        let requests = (0..<100).map { _ in service.resource("/small.txt").request(.get) }
        for request in requests {
            let info = await request.completion()
            #expect(try info.entity().content as? String == "a small file")
            #expect(info.metrics?.httpVersion == "2")
        }
    }

    @Test func `A server is trusted for its own name, and only if somebody vouches for it`() async throws {
        let address = try #require(ForeignServer.secureNginx.address)
        let untrusted = await Service(baseURL: address).resource("/small.txt").load().completion()
        #expect(untrusted.failure?.transportError?.kind == .tls(.untrusted))
        #expect(untrusted.failure?.userMessage == "The server’s identity could not be verified.")
        let otherName = address.replacingOccurrences(of: "localhost", with: "127.0.0.1")
        let misnamed = await (try Self.secureService(at: otherName)).resource("/small.txt").load().completion()
        #expect(misnamed.failure?.transportError?.kind == .tls(.wrongHost))
        #expect(misnamed.failure?.userMessage == "The server’s certificate is for another address.")
    }

    @Test func `A client certificate opens what is closed without it`() async throws {
        let files: String = try #require(ProcessInfo.processInfo.environment["SIESTA_TEST_CLIENT"])
        let certificate = CurlProvider.Options.ClientCertificate(
            certificateFile: files + ".pem", keyFile: files + ".key")
        let member = try Self.secureService { $0.clientCertificate = certificate }
        let entity = try await member.resource("/members/small.txt").load().completion().entity()
        #expect(entity.header(forKey: "X-Client") == "CN=ada")
        let stranger = await (try Self.secureService()).resource("/members/small.txt").load().completion()
        #expect(stranger.failure?.httpStatusCode == 403)
    }

    private static func secureService(
        at address: String? = ForeignServer.secureNginx.address,
        _ change: (inout CurlProvider.Options) -> Void = { _ in }
    ) throws -> Service {
        var options = CurlProvider.Options()
        let (certificate, address): (String, String) = (try #require(ForeignServer.certificate), try #require(address))
        options.caFile = certificate
        change(&options)
        return Service(baseURL: address, networking: CurlProvider(options: options))
    }
    #endif

    @Test func `Requests over nginx's limit are sent again after its Retry-After; with pacing none is refused`()
        async throws
    {
        let service = try ForeignServer.nginx.service()
        service.configure {
            $0.retry.retryLimit = 6
            $0.retry.statusCodes = [429]
        }
        let refused = (0..<3).map { service.resource("/limited/small.txt").withParam("n", "\($0)").load() }
        var attempts: [Int] = []
        for load in refused {
            let info = await load.completion()
            #expect(try info.entity().content as? String == "a small file")
            attempts.append(info.metrics?.attempts ?? 1)
        }
        #expect(attempts.contains { $0 > 1 })
        service.configure { $0.pacing = Pacing(requestsPerSecond: 1) }
        await Moment.after(.seconds(1))
        let paced = (3..<6).map { service.resource("/limited/small.txt").withParam("n", "\($0)").load() }
        for load in paced {
            let info = await load.completion()
            #expect(try info.entity().content as? String == "a small file")
            #expect(info.metrics?.attempts ?? 1 == 1)
        }
    }
}
