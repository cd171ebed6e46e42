#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// The servers that the transport trusts, with certificates created for the test.
@Suite(.enabled(if: Certificates.isAvailable, "the openssl program is not installed"), .timeLimit(.test))
struct TrustTests {
    private let certificates: Certificates

    init() async throws {
        certificates = try await Certificates()
    }

    private func result(
        _ server: ServerProcess, host: String = "localhost", authority: String? = "ca.pem",
        _ change: (inout TransportOptions) -> Void = { _ in }
    ) async throws -> Result<TransportResponse, TransportError> {
        let transport = try CurlTransport.fresh {
            $0.unixSocket = server.socket
            $0.caFile = authority.map { certificates.path($0) }
            change(&$0)
        }
        return await transport.get(try #require(URL(string: "https://\(host)/")))
    }

    @Test
    func `A certificate of an authority that is trusted, for this host, is good; names and addresses`() async throws {
        let server = try await ServerProcess.openssl(certificates, "localhost")
        let response = try await result(server).get()
        #expect(response.head.status == 200)
        #expect(response.metrics.tls > 0)
        #expect(try await result(server, host: "127.0.0.1").status == 200)
    }

    @Test
    func `A certificate of another authority, or without one, is untrusted; the system's do not count then`()
        async throws
    {
        let server = try await ServerProcess.openssl(certificates, "localhost")
        #expect(try await result(server, authority: nil).failureKind == .tls(.untrusted))
        let others = try await Certificates()
        try FileManager.default.copyItem(atPath: others.path("ca.pem"), toPath: certificates.path("other.pem"))
        #expect(try await result(server, authority: "other.pem").failureKind == .tls(.untrusted))
        #expect(try await result(server, authority: "missing.pem").failureKind == .tls(.localCertificate))
    }

    @Test func `A self-signed certificate is untrusted`() async throws {
        let server = try await ServerProcess.openssl(certificates, "ca")
        #expect(try await result(server, authority: nil).failureKind == .tls(.untrusted))
    }

    @Test func `An expired certificate, and one for another host, say so`() async throws {
        try await certificates.issue("old", names: "DNS:localhost", days: -1)
        let old = try await ServerProcess.openssl(certificates, "old")
        #expect(try await result(old).failureKind == .tls(.expired))
        let server = try await ServerProcess.openssl(certificates, "localhost")
        #expect(try await result(server, host: "example.com").failureKind == .tls(.wrongHost))
        #expect(try await result(server, host: "localhost.evil.example").failureKind == .tls(.wrongHost))
        #expect(try await result(server, host: "127.0.0.2").failureKind == .tls(.wrongHost))
    }

    @Test func `A server that wants a client certificate gets it, with an encrypted key, too`() async throws {
        try await certificates.issue("client", names: "DNS:client")
        try await certificates.issue("locked", names: "DNS:client", password: "secret")
        let server = try await ServerProcess.openssl(
            certificates, "localhost", ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.path("ca.pem")])
        let missing = try await result(server).failureKind
        #expect([.tls(.handshake), .connectionLost].contains(missing))
        for (name, password) in [("client", String?.none), ("locked", "secret")] {
            let shown = try await result(server) {
                $0.clientCertificate = .init(
                    certificateFile: certificates.path("\(name).pem"), keyFile: certificates.path("\(name).key"),
                    password: password)
            }
            #expect(shown.status == 200)
        }
        let wrong = try await result(server) {
            $0.clientCertificate = .init(
                certificateFile: certificates.path("locked.pem"), keyFile: certificates.path("locked.key"),
                password: "x")
        }
        #expect(wrong.failureKind == .tls(.localCertificate))
    }

    @Test
    func `A pinned key must be one of those named, and does not make an untrusted certificate good`() async throws {
        let server = try await ServerProcess.openssl(certificates, "localhost")
        let (right, wrong) = (try await certificates.pin("localhost"), try await certificates.pin("ca"))
        #expect(try await result(server) { $0.pinnedPublicKeys = [right] }.status == 200)
        #expect(try await result(server) { $0.pinnedPublicKeys = [wrong, right] }.status == 200)
        #expect(try await result(server) { $0.pinnedPublicKeys = [wrong] }.failureKind == .tls(.pinned))
        let untrusted = try await result(server, authority: nil) { $0.pinnedPublicKeys = [right] }
        #expect(untrusted.failureKind == .tls(.untrusted))
    }

    @Test
    func `Old versions of TLS are no agreement; a server that does not speak it is a failed handshake`() async throws {
        let old = try await ServerProcess.openssl(
            certificates, "localhost", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        #expect(try await result(old).failureKind == .tls(.handshake))
        let plain = try LoopbackServer.serving { connection in
            _ = connection.receive()
            try connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            connection.waitForDisconnect()
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(plain.port)/"))
        #expect(await (try CurlTransport.fresh()).get(url).failureKind == .tls(.handshake))
    }
}
#endif
