#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// The requests that are sent again when a TLS connection ends.
@Suite(
    .enabled(if: Certificates.isAvailable, "the openssl program is not installed"),
    .enabled(if: ScriptedTLSServer.isAvailable, "python3 is not installed"), .timeLimit(.test))
struct SecureRepetitionTests {
    private let certificates: Certificates

    init() async throws {
        certificates = try await Certificates()
    }

    @Test(arguments: [true, false], [ScriptedTLSServer.Way.port, .tunnel])
    func `A POST is sent once, a PUT again, if the server closes the connection that it has read the request from`(
        _ skipsBody: Bool, _ way: ScriptedTLSServer.Way
    ) async throws {
        for size in [0, 10, 100_000] {
            let server = try await ScriptedTLSServer(certificates, way, skipsBody: skipsBody, steps: ["/pay": [.close]])
            let transport = try server.transport()
            let body = TransportRequest.Body.data(Data(count: size))
            for (method, count) in [("POST", 1), ("PATCH", 1), ("PUT", 2)] {
                let before = server.requests.count { $0.hasPrefix(method) }
                #expect(await transport.get(try server.url("/warm")).text == "/warm")
                let result = await transport.result(TransportRequest(method, try server.url("/pay"), body: body))
                #expect(result.failureKind == (method == "PUT" ? .connectionLost : .outcomeUnknown))
                // If the server closes the connection during an upload, libcurl may not send the request again.
                let least = skipsBody && size > 0 ? 1 : count
                let sent = server.requests.count { $0.hasPrefix(method) } - before
                #expect((least...count).contains(sent), "\(method) \(size)")
            }
        }
    }

    @Test func `Half a response is no success if only TLS ends, in the middle of an upload`() async throws {
        let half = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nno"
        let server = try await ScriptedTLSServer(
            certificates, skipsBody: true, steps: ["/half": [.send(half), .endTLS, .wait("never")]])
        let body = TransportRequest.Body.stream(IdleSource(), length: nil)
        let request = TransportRequest("POST", try server.url("/half"), body: body)
        let result = await (try server.transport()).result(request)
        #expect(result.failureKind == .connectionLost)
    }

    @Test func `A connection that ends while the two sides agree on encryption leaves nothing unknown`() async throws {
        let server = try await ScriptedTLSServer(certificates)
        let transport = try server.transport { $0.caFile = nil }
        let result = await transport.result(TransportRequest("POST", try server.url("/pay")))
        #expect(result.failureKind == .tls(.untrusted))
        #expect(server.requests.isEmpty)
    }

    @Test func `A connection that ends in the handshake is tried again, whatever the method, since nothing was sent`()
        async throws
    {
        let server = try LoopbackServer.serving { connection in
            _ = connection.receive()
            connection.close()
        }
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let transport = try CurlTransport.fresh { $0.hostOverrides = ["localhost:\(server.port)": "127.0.0.1"] }
        #expect(await transport.result(TransportRequest("POST", url)).failureKind == .connectionLost)
        #expect(server.connectionCount == 4)
    }

    @Test func `A handshake may be cut also after a kept connection was lost: a GET is sent once more, a POST never`()
        async throws
    {
        let server = try await ScriptedTLSServer(
            certificates, steps: ["/page": [.cutNext, .close], "/pay": [.cutNext, .close]])
        let transport = try server.transport()
        #expect(await transport.get(try server.url("/warm")).text == "/warm")
        #expect(await transport.get(try server.url("/page")).text == "/page")
        let result = await transport.result(TransportRequest("POST", try server.url("/pay")))
        #expect(result.failureKind == .outcomeUnknown)
        #expect(server.requests == ["GET /warm", "GET /page", "CUT", "GET /page", "POST /pay", "CUT"])
    }
}
#endif
