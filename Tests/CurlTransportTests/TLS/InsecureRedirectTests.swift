#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// Redirects from https to http, sent by an independent server.
@Suite(
    .enabled(if: ChildProcess.program("nginx") != nil, "nginx is not installed"),
    .enabled(if: Certificates.isAvailable, "the openssl program is not installed"), .timeLimit(.test))
struct InsecureRedirectTests {
    private let certificates: Certificates
    private let server: ServerProcess

    init() async throws {
        certificates = try await Certificates()
        let locations = """
            location /plain { return 307 http://localhost/; } location / { return 307 https://localhost/plain; }
            """
        server = try await ServerProcess.nginx(certificates, locations: locations)
    }

    private func result(
        _ destination: ResponseDestination = .memory, _ change: (inout TransportOptions) -> Void = { _ in }
    ) async throws -> Result<TransportResponse, TransportError> {
        let transport = try CurlTransport.fresh {
            $0.unixSocket = server.socket
            $0.caFile = certificates.path("ca.pem")
            change(&$0)
        }
        let url = try #require(URL(string: "https://localhost/"))
        let request = TransportRequest(
            "POST", url, headers: ["X-Access-Token": "secret"], body: .data(Data("secret".utf8)))
        return await transport.result(request, into: destination)
    }

    @Test func `A redirect from https to http is an error, wherever the body goes`() async throws {
        let file = certificates.folder.appendingPathComponent("body")
        for destination in [ResponseDestination.memory, .file(file)] {
            guard case .failure(let error) = try await result(destination) else {
                Issue.record("It was followed")
                continue
            }
            #expect(error.kind == .insecureRedirect)
            #expect(error.metrics.redirects == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `An option allows it; a transport that follows no redirects delivers it`() async throws {
        let followed = try await result { $0.followsInsecureRedirects = true }.get()
        #expect(followed.metrics.redirects == 2)
        #expect(followed.head.url.absoluteString == "http://localhost/")
        let delivered = try await result { $0.redirectLimit = nil }.get()
        #expect(delivered.head.status == 307)
        #expect(delivered.metrics.redirects == 0)
    }
}
#endif
