#if os(Linux)
import Foundation
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct TransportErrorTests {
    @Test(arguments: [(5, 0), (6, 0), (7, ECONNREFUSED), (7, ENETUNREACH), (97, 0)] as [(Int, Int32)])
    func `A failure to connect again leaves the outcome of a sent request unknown`(code: Int, errno: Int32) {
        var report = TransportError.CurlReport(code: code, errno: errno, isRepeatable: false)
        #expect(TransportError(report).kind != .outcomeUnknown)
        report.wasSent = true
        #expect(TransportError(report).kind == .outcomeUnknown)
        report.isRepeatable = true
        #expect(TransportError(report).kind != .outcomeUnknown)
    }

    @Test(
        arguments: [
            (3, "", .badURL), (5, "", .nameNotFound), (6, "", .nameNotFound), (1, "", .protocolViolation),
            (8, "", .protocolViolation), (16, "", .protocolViolation),
            (16, "Error in the HTTP2 framing layer", .connectionLost), (92, "", .protocolViolation),
            (18, "", .connectionLost), (52, "", .connectionLost), (55, "", .connectionLost),
            (56, "Connection reset by peer", .connectionLost),
            (56, "Illegal or missing hexadecimal sequence in chunked-encoding", .protocolViolation),
            (56, "Too large response headers: 307210 > 307200", .headersTooLarge),
            (56, "CONNECT tunnel failed, response 407", .proxy), (97, "", .proxy), (61, "", .undecodable),
            (27, "", .headersTooLarge), (100, "", .headersTooLarge), (35, "", .tls(.handshake)),
            (90, "", .tls(.pinned)), (58, "", .tls(.localCertificate)), (77, "", .tls(.localCertificate)),
            (60, "SSL certificate problem: certificate has expired", .tls(.expired)),
            (60, "SSL: no alternative certificate subject name matches target host name 'a'", .tls(.wrongHost)),
            (60, "SSL certificate problem: self-signed certificate", .tls(.untrusted)), (4711, "", .connectionLost),
        ] as [(Int, String, TransportError.Kind)])
    func `A code of libcurl becomes what a program can act on`(code: Int, text: String, kind: TransportError.Kind) {
        let error = TransportError(TransportError.CurlReport(code: code, text: text))
        #expect(error.kind == kind)
        #expect(error.curlCode == code)
        #expect(error.message == text)
    }

    @Test(
        arguments: [
            (ECONNREFUSED, .refused), (ETIMEDOUT, .timedOut(while: .connecting)), (ENETUNREACH, .noConnection),
            (EHOSTUNREACH, .noConnection), (0, .noConnection),
        ] as [(Int32, TransportError.Kind)])
    func `A failed connection says why`(errno: Int32, kind: TransportError.Kind) {
        let error = TransportError(TransportError.CurlReport(code: 7, text: "x", errno: errno))
        #expect(error.kind == kind)
        #expect(error.errno == errno)
    }

    @Test(arguments: [TransportError.Phase.connecting, .waiting, .reading])
    func `A time-out belongs to its phase`(phase: TransportError.Phase) {
        #expect(TransportError.CurlReport(code: 28, phase: phase).kind == .timedOut(while: phase))
    }

    @Test(arguments: [9, 10])
    func `OpenSSL's verdict counts more than words`(verifyResult: Int) {
        #expect(TransportError.CurlReport(code: 60, verifyResult: verifyResult).kind == .tls(.expired))
    }
}
#endif
