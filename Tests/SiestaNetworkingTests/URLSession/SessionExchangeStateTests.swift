import Foundation

import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.test))
struct SessionExchangeStateTests {
    @Test func `A body shorter than announced is an error, unless its length means something else`() throws {
        #expect(try end(of: ["Content-Length": "5"], body: "1234") == .failed(.networkConnectionLost))
        #expect(try end(of: ["Content-Length": "4"], body: "1234") == .answered(200))
        #expect(try end(of: [:], body: "1234") == .answered(200))
        #expect(try end(of: ["Content-Length": "5", "Content-Encoding": "br"], body: "1234") == .answered(200))
        #expect(
            try end(of: ["Content-Length": "5", "Content-Encoding": "identity"], body: "1234")
                == .failed(.networkConnectionLost))
        #expect(try end(of: ["Content-Length": "5", "Transfer-Encoding": "chunked"], body: "1234") == .answered(200))
        #expect(try end(of: ["Content-Length": "5"], method: "HEAD") == .answered(200))
        #expect(try end(of: ["Content-Length": "5"], status: 304) == .answered(304))
        #expect(try end(of: ["Content-Length": "5"], status: 204) == .answered(204))
    }

    @Test(arguments: [(100, nil), (103, nil), (101, 101)])
    func `An interim response is not the answer; switching protocols is`(status: Int, expected: Int?) throws {
        var state = try state()
        _ = try state.received(response(status: status))
        #expect(End(state.completed(nil, lastResponse: nil)) == .answered(expected))
    }

    @Test func `A body that is announced too long fails before it arrives, one that fits exactly does not`() throws {
        var state = try state(limits: ExchangeLimits(bodyBytes: 10))
        #expect(try End(state.received(response(headers: ["Content-Length": "10"]))) == .pending)
        for length in ["11", "\(Int64.max)"] {
            let end = try End(state.received(response(headers: ["Content-Length": length])))
            #expect(end == .failed(.dataLengthExceedsMaximum))
        }
    }

    @Test func `A redirect starts over: a new request, and nothing moved yet`() throws {
        var state = try state(method: "POST", body: "body")
        state.sent(4)
        _ = try state.received(response(status: 303, headers: ["Location": "/next"]))
        _ = state.received(Data("moved".utf8))
        #expect(End(state.completed(nil, lastResponse: nil)) == .pending)
        #expect(state.request?.url?.absoluteString == "http://a.test/next")
        #expect(state.metrics.requestBytesSent == 0)
        #expect(state.metrics.requestBytesTotal == 0)
        #expect(state.metrics.responseBytesReceived == 0)
    }

    @Test(arguments: [false, true])
    func `A redirect from https to http is an error, in memory and streamed`(isStreamed: Bool) throws {
        let request = URLRequest(url: try #require(URL(string: "https://a.test/")))
        var state = SessionExchange.State(request: request, limits: ExchangeLimits(), isStreamed: isStreamed)
        let redirect = try response(status: 307, headers: ["Location": "http://a.test/"])
        #expect(name(state.received(redirect)) == "wait")
        let end = End(state.completed(nil, lastResponse: nil))
        #expect(end == .failed(.appTransportSecurityRequiresSecureConnection))
    }

    @Test(arguments: [(1000, false), (1001, true)])
    func `A response with too many header fields is an error`(count: Int, isTooMany: Bool) throws {
        let fields = Dictionary(uniqueKeysWithValues: (0..<count).map { ("x-\($0)", "") })
        var state = try state()
        let step = End(try state.received(response(headers: fields)))
        #expect(step == (isTooMany ? .failed(.dataLengthExceedsMaximum) : .pending))
    }

    @Test func `A failure counts even after a whole response`() throws {
        var state = try state()
        _ = try state.received(response())
        #expect(End(state.completed(URLError(.timedOut), lastResponse: nil)) == .failed(.timedOut))
    }

    @Test func `Streamed, a body is passed on whatever its length; that of a redirect is not begun`() throws {
        let request = URLRequest(url: try #require(URL(string: "http://example.com/")))
        var state = SessionExchange.State(request: request, limits: ExchangeLimits(bodyBytes: 10), isStreamed: true)
        #expect(name(try state.received(response(status: 302, headers: ["Location": "/to"]))) == "wait")
        #expect(name(state.completed(nil, lastResponse: nil)) == "send")
        #expect(name(try state.received(response(headers: ["Content-Length": "100"]))) == "begin")
        #expect(name(state.received(Data(count: 50))) == "pass")
        #expect(End(state.completed(nil, lastResponse: nil)) == .failed(.networkConnectionLost))
        #expect(name(state.received(Data(count: 50))) == "pass")
        #expect(End(state.completed(nil, lastResponse: nil)) == .answered(200))
    }

    private func name(_ step: SessionExchange.State.Step) -> String {
        switch step {
        case .wait: "wait"
        case .send: "send"
        case .begin: "begin"
        case .pass: "pass"
        case .finish: "finish"
        }
    }

    /// Returns a step in a form that can be compared.
    private enum End: Equatable {
        case pending
        case answered(Int?)
        case failed(URLError.Code)

        init(_ step: SessionExchange.State.Step) {
            switch step {
            case .wait, .send, .begin, .pass: self = .pending
            case .finish(.answered(let response, _)): self = .answered(response?.statusCode)
            case .finish(.failed(let error)): self = .failed((error as? URLError)?.code ?? .unknown)
            }
        }
    }

    private func end(
        of headers: [String: String], status: Int = 200, method: String = "GET", body: String = ""
    ) throws -> End {
        var state = try state(method: method)
        _ = try state.received(response(status: status, headers: headers))
        _ = state.received(Data(body.utf8))
        return End(state.completed(nil, lastResponse: nil))
    }

    private func state(
        method: String = "GET", body: String? = nil, limits: ExchangeLimits = ExchangeLimits()
    ) throws -> SessionExchange.State {
        var request = try URLRequest(url: #require(URL(string: "http://a.test/")))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        return SessionExchange.State(request: request, limits: limits)
    }

    private func response(status: Int = 200, headers: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://a.test/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
    }

    @Test(arguments: [URLError(.cannotConnectToHost), nil])
    func `An error after a redirect names the origin of the last request`(error: URLError?) throws {
        var state = try state(method: "POST", body: "body")
        _ = try state.received(response(status: 303, headers: ["Location": "http://b.test/next"]))
        #expect(End(state.completed(nil, lastResponse: nil)) == .pending)
        if error == nil { _ = try state.received(response(headers: ["Content-Length": "5"])) }  // The body is cut.
        guard case .finish(.failed(let failure)) = state.completed(error, lastResponse: nil) else {
            Issue.record("The exchange has not failed.")
            return
        }
        #expect((failure as? URLError)?.code == .networkConnectionLost)
        #expect(NetworkResponse(error: failure).failedOrigin?.contains("b.test") == true)
    }
}
