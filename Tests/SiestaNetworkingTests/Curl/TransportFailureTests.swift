#if os(Linux)
import CurlTransport
import Foundation
import FoundationNetworking
import LoopbackServer

import SiestaTesting
import TestKit
import Testing
@testable import SiestaCore
@testable import SiestaNetworking

/// The message for a person and the error for a program, for each way in which a transfer fails.
@MainActor @Suite(.timeLimit(.test))
struct TransportFailureTests {
    /// The expected message and error of a kind of failure.
    struct Wording: Sendable, CustomTestStringConvertible {
        let kind: TransportError.Kind
        let code: URLError.Code
        let message: String

        init(_ kind: TransportError.Kind, _ code: URLError.Code, _ message: String) {
            (self.kind, self.code, self.message) = (kind, code, message)
        }

        var testDescription: String { "\(kind)" }
    }

    nonisolated static let wordings = [
        Wording(.nameNotFound, .cannotFindHost, "The server’s name could not be found."),
        Wording(.refused, .cannotConnectToHost, "Could not connect to the server."),
        Wording(.proxy, .cannotConnectToHost, "The proxy did not let the request through."),
        Wording(.timedOut(while: .connecting), .timedOut, "The server could not be reached in time."),
        Wording(.timedOut(while: .waiting), .timedOut, "The server took too long to respond."),
        Wording(
            .timedOut(while: .reading), .timedOut, "The server stopped sending before the response was complete."),
        Wording(.tls(.untrusted), .serverCertificateUntrusted, "The server’s identity could not be verified."),
        Wording(.tls(.pinned), .serverCertificateUntrusted, "The server’s identity could not be verified."),
        Wording(.tls(.expired), .serverCertificateHasBadDate, "The server’s certificate is not valid now."),
        Wording(
            .tls(.wrongHost), .serverCertificateUntrusted, "The server’s certificate is for another address."),
        Wording(
            .tls(.handshake), .secureConnectionFailed, "A secure connection to the server could not be established."),
        Wording(
            .tls(.localCertificate), .clientCertificateRejected,
            "The client certificate of this app cannot be used."),
        Wording(.protocolViolation, .badServerResponse, "The response of the server could not be understood."),
        Wording(.undecodable, .cannotDecodeContentData, "The response of the server could not be understood."),
        Wording(.bodyTooLarge, .dataLengthExceedsMaximum, "The response of the server is too large."),
        Wording(.headersTooLarge, .dataLengthExceedsMaximum, "The response of the server is too large."),
        Wording(.tooManyRedirects, .httpTooManyRedirects, "The server redirected the request too many times."),
        Wording(
            .connectionLost, .networkConnectionLost,
            "The connection to the server was lost before the response was complete."),
        Wording(
            .outcomeUnknown, .networkConnectionLost,
            "The connection was lost before the server responded. The server may have carried out the request."),
        Wording(.badURL, .badURL, "This address cannot be loaded."),
        Wording(.badRequest, .unknown, "Cannot send request"),
        Wording(.unsupported, .unknown, "Cannot send request"),
    ]

    @Test func `has one sentence for people, the URLError that apps know, and the transport's own for programs`()
        async throws
    {
        for wording in Self.wordings {
            let given = TransportError(wording.kind, "words of libcurl", curlCode: 4711, errno: 42)
            try await expect(given, isTold: wording.message, code: wording.code)
        }
        for (errno, code) in [(ENETUNREACH, URLError.Code.notConnectedToInternet), (EINVAL, .cannotConnectToHost)] {
            let given = TransportError(.noConnection, "words of libcurl", curlCode: 7, errno: errno)
            let message = errno == EINVAL ? "Could not connect to the server." : "There is no network connection."
            try await expect(given, isTold: message, code: code)
        }
    }

    private func expect(_ given: TransportError, isTold message: String, code: URLError.Code) async throws {
        let resource = Service(baseURL: "http://a.test", networking: CurlProvider(.failure(given))).resource("/x")
        await resource.load().completion()
        let error = try #require(resource.latestError)
        #expect(error.userMessage == message)
        #expect((error.cause as? URLError)?.code == code)
        #expect(error.transportError?.kind == given.kind)
        #expect(error.transportError?.curlCode == given.curlCode)
        #expect(error.transportError?.message == "words of libcurl")
        #expect(!error.userMessage.contains("libcurl"))
        #expect(error.description.contains("words of libcurl"))
    }

    /// A way to make a real transfer fail.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let kind: TransportError.Kind
        var options = CurlProvider.Options()
        let script: LoopbackServer.ConnectionScript
    }

    nonisolated static let faults: [Fault] = {
        var (shortTime, smallBody, smallHead) = (CurlProvider.Options(), CurlProvider.Options(), CurlProvider.Options())
        shortTime.idleTimeout = 0.3
        smallBody.bodyBytes = 10
        smallHead.headerBytes = 100
        let answer = "HTTP/1.1 200 OK\r\nX-Fill: \(String(repeating: "x", count: 200))\r\nContent-Length: 20\r\n\r\n"
        let head = { @Sendable (connection: Connection) in _ = connection.head() }
        return [
            Fault(testDescription: "no answer", kind: .timedOut(while: .waiting), options: shortTime) { connection in
                connection.waitForDisconnect()
            },
            Fault(testDescription: "half an answer", kind: .timedOut(while: .reading), options: shortTime) {
                connection in
                try connection.send(answer)
                connection.waitForDisconnect()
            },
            Fault(testDescription: "a long body", kind: .bodyTooLarge, options: smallBody) { connection in
                head(connection)
                try connection.send(answer + "01234567890123456789")
            },
            Fault(testDescription: "a long head", kind: .headersTooLarge, options: smallHead) { connection in
                head(connection)
                try connection.send(answer)
            },
            Fault(testDescription: "no HTTP", kind: .protocolViolation) { connection in
                head(connection)
                try connection.send("hello, who are you?\r\n\r\n")
            },
            Fault(testDescription: "a cut", kind: .connectionLost) { connection in
                head(connection)
                try connection.send(answer + "0")
            },
        ]
    }()

    @Test(arguments: faults)
    func `is recognised over a real connection`(_ fault: Fault) async throws {
        let server = try LoopbackServer.serving(fault.script)
        let service = Service(baseURL: server.url(), networking: CurlProvider(options: fault.options))
        await service.resource("/x").load().completion()
        let error = try #require(service.resource("/x").latestError)
        let wording = try #require(Self.wordings.first { $0.kind == fault.kind })
        #expect(error.transportError?.kind == fault.kind)
        #expect(error.userMessage == wording.message)
        #expect((error.cause as? URLError)?.code == wording.code)
    }

    @Test func `says of a POST whose connection ends that the server may have carried it out`() async throws {
        let server = try LoopbackServer { $0.close() }
        let service = Service(baseURL: server.url(), networking: CurlProvider())
        let request = service.resource("/x").request(.post, json: ["amount": 1])
        guard case .failure(let error) = await request.completion().response else {
            return _ = Issue.record("The request succeeded")
        }
        #expect(error.transportError?.kind == .outcomeUnknown)
        #expect(error.userMessage == UserMessages().outcomeUnknown)
        #expect(server.requests.count == 1)
    }

    @Test func `tells a connection that takes too long from a server that does`() async throws {
        let port = try FullPort()
        var options = CurlProvider.Options()
        options.connectTimeout = 0.3
        let networking = CurlProvider(options: options)
        let resource = Service(baseURL: "http://127.0.0.1:\(port.port)", networking: networking).resource("/x")
        await resource.load().completion()
        #expect(resource.latestError?.userMessage == "The server could not be reached in time.")
    }

    @Test func `is none if the request was cancelled: that has a cause of its own`() async throws {
        let server = try LoopbackServer.serving { $0.waitForDisconnect() }
        let provider = CurlProvider()
        let request = Service(baseURL: server.url(), networking: Underhanded(provider)).resource("/x").load()
        guard case .failure(let error) = await request.completion().response else { throw CancellationError() }
        let cause = try #require(error.cause as? RequestError.Cause.RequestCancelled)
        #expect((cause.networkError as? URLError)?.code == .cancelled)
    }

    /// A provider that cancels each request that it starts.
    private struct Underhanded: NetworkingProvider {
        let provider: CurlProvider

        init(_ provider: CurlProvider) {
            self.provider = provider
        }

        func startRequest(
            _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            let started = provider.startRequest(request, completion: completion)
            started.cancel()
            return started
        }
    }
}
#endif
