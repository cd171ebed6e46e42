#if os(Linux) || os(Android)
import Foundation
import HTTPRules

extension CurlExchange {
    /// The state of one exchange. It decides the meaning of each event, and has no side effects.
    struct State {
        /// The current request: the caller's request, or the target of the last redirect.
        private(set) var request: TransportRequest

        /// The error with which a callback ended the exchange.
        var failure: TransportError?

        /// The step after the response, decided when its head is complete.
        private(set) var step = RedirectRules.Step.deliver

        /// The number of bytes of the current response's body, before decoding.
        var bodyBytes = 0

        /// True if the head is a 401 to a request with a login, which libcurl may answer by sending the request again.
        /// The head becomes the head of the response if libcurl delivers a body or ends.
        private(set) var mayBeChallenge = false

        private var challenges = 0
        private(set) var redirects = 0
        /// True if a redirect has answered a request that must not be sent twice, and asks for another one: the server
        /// may have carried out the first request.
        private(set) var mayHaveHadEffect = false
        private var log = RedirectLog()
        private var resends = 0
        private var parser: ResponseHeadParser
        private let rules: RedirectRules?
        private let decodes: Bool

        init(request: TransportRequest, options: TransportOptions) {
            self.request = request
            self.request.confine()
            decodes = options.acceptedEncodings != []
            parser = ResponseHeadParser(limit: options.headerBytes, fieldLimit: options.headerFields)
            rules = request.followsRedirects ? options.redirectRules : nil
        }

        /// The head; nil until it is complete.
        var head: ResponseHead? { parser.isComplete ? head(with: parser.headers) : nil }

        /// Returns the head, and removes it from the state; nil until it is complete.
        mutating func takeHead() -> ResponseHead? { parser.isComplete ? head(with: parser.takeHeaders()) : nil }

        /// Returns the heads of the redirects that were followed, and removes them from the state.
        mutating func takeRedirects() -> [ResponseHead] { exchange(&log, with: RedirectLog()).heads }

        private func head(with headers: HeaderList) -> ResponseHead {
            ResponseHead(url: request.url, status: parser.status, httpVersion: parser.version, headers: headers)
        }

        /// Returns the error for a connection that ended before the head was complete.
        func errorWithoutHead(isRepeatable: Bool) -> TransportError {
            guard parser.status > 0 else {
                return TransportError(.protocolViolation, "The server did not send an HTTP response")
            }
            let message = "The connection ended inside the head of the response"
            return isRepeatable ? TransportError(.connectionLost, message) : .outcomeUnknown(message)
        }

        /// The number of bytes of the latest response head that have arrived.
        var headLength: Int { parser.length }

        var hasHead: Bool { parser.isComplete && !mayBeChallenge }

        /// True if the server has switched to a protocol that the request did not ask for (RFC 9110 §7.8). What
        /// follows is no body, and may never end.
        var endsAtHead: Bool { parser.isComplete && parser.status == 101 && !request.headers.contains("Upgrade") }

        /// True if the server has refused the `Expect` field. It has not carried out the request (RFC 9110 §10.1.1).
        var isExpectationRefused: Bool {
            parser.isComplete && parser.status == 417 && request.headers["Expect"]?.lowercased() == "100-continue"
        }

        /// True if the response is a redirect that is followed or refused. Its body is not needed.
        var isPassing: Bool { step != .deliver }

        /// The treatment of the body according to its `Content-Encoding`.
        private(set) var treatment = ContentCoding.Treatment.keep

        /// True if the response is a stream of events, which may send little for a long time.
        var isEventStream: Bool {
            parser.isComplete
                && parser.headers.values(of: "Content-Type").first?.lowercased().hasPrefix("text/event-stream") == true
        }

        mutating func receive(headerLine: UnsafeRawBufferPointer) -> ResponseHeadParser.Event {
            if mayBeChallenge, headerLine.starts(with: "HTTP/".utf8) { answerChallenge() }
            let event = parser.receive(headerLine)
            guard event == .head else { return event }
            readHead()
            mayBeChallenge = request.rare != nil && failure == nil && isChallenge
            return mayBeChallenge ? .part : .head
        }

        /// True if libcurl may answer this response by signing in. It answers a second challenge only if the server says
        /// that the first answer was correct but too old (RFC 7616, section 3.3).
        private var isChallenge: Bool {
            guard parser.status == 401, request.login != nil, challenges < Self.challengeLimit else { return false }
            let challenge = parser.headers.values(of: "WWW-Authenticate").joined(separator: ",").lowercased()
            return challenge.contains("digest") && (challenges == 0 || challenge.contains("stale"))
        }

        /// The maximum number of challenges that are answered: a server may call each answer too old.
        private static let challengeLimit = 3

        /// True if the head is a challenge that is not answered, because too many were answered before.
        var hasTooManyChallenges: Bool {
            parser.isComplete && parser.status == 401 && challenges == Self.challengeLimit
        }

        /// Drops the head, because libcurl sends the request again with the login.
        mutating func answerChallenge() {
            startOver()
            challenges += 1
        }

        /// Makes the head the head of the response, because libcurl does not send the request again.
        mutating func deliverChallenge() { mayBeChallenge = false }

        /// True if the server has asked for the login of the request.
        var wasChallenged: Bool { challenges > 0 }

        private mutating func readHead() {
            if parser.headers.contains("Content-Encoding") { treatment = treatmentOfBody }
            if hasConflictingLengths {
                failure = TransportError(.protocolViolation, "The response has two different lengths")
            }
            if 300..<400 ~= parser.status, let rules {
                step = rules.step(
                    after: RedirectRules.Request(
                        method: request.method, url: request.url, canResendBody: request.body.canBeSentAgain),
                    status: parser.status, location: location, redirects: redirects)
            }
        }

        private var treatmentOfBody: ContentCoding.Treatment {
            ContentCoding.treatment(
                of: parser.headers.values(of: "Content-Encoding"),
                acceptField: request.headers.contains("Accept-Encoding")
                    ? request.headers.values(of: "Accept-Encoding").joined(separator: ",") : nil,
                decodes: decodes)
        }

        /// True if the end of the body is ambiguous (RFC 9112, section 6.3).
        private var hasConflictingLengths: Bool {
            parser.headers.fields.isContradictory("Content-Length") && !parser.headers.contains("Transfer-Encoding")
        }

        /// The target of a redirect; nil if the server sent contradictory targets.
        private var location: String? {
            parser.headers.fields.isContradictory("Location") ? nil : parser.headers.values(of: "Location").first
        }

        /// Replaces the request by the target of a redirect.
        mutating func follow(_ redirect: RedirectRules.Redirect) {
            let source = request.url
            if let head = takeHead() { log.append(head) }
            if redirect.method != request.method, !request.isRepeatable { mayHaveHadEffect = true }
            request.url = redirect.url
            request.method = redirect.method
            request.headers.remove { !redirect.keepsHeader($0) }
            request.confine(after: source, redirect)
            if !redirect.keepsBody {
                request.body = .none
            }
            redirects += 1
            resends = 0  // resends count for each request separately
            challenges = 0
            startOver()
        }

        /// The maximum number of times that one request is sent again. A server that closes each connection after a few
        /// requests, or reloads its configuration, may end several connections in succession.
        private static let resendLimit = 3

        /// True if shared connections were lost several times.
        var needsOwnConnection: Bool { resends >= Self.resendLimit - 1 }

        /// Returns true if the same request may be sent again, because its connection was lost before the response.
        mutating func mayResend() -> Bool {
            guard !hasHead, resends < Self.resendLimit, request.body.canBeSentAgain else { return false }
            resends += 1
            challenges = 0
            startOver()
            return true
        }

        /// Prepares to send the request again without `Expect`.
        mutating func dropExpectation() {
            request.headers.remove(["Expect"])
            challenges = 0
            startOver()
        }

        /// Releases all large parts.
        mutating func release() {
            request.body = .none
            request.headers = HeaderList()
            request.rare = nil
            request.cookieJar = nil
            log = RedirectLog()
            parser.startOver()
        }

        private mutating func startOver() {
            parser.startOver()
            mayBeChallenge = false
            step = .deliver
            treatment = .keep
            bodyBytes = 0
            failure = nil
        }
    }
}

extension TransportRequest.Body {
    /// True if the body can be sent a second time.
    var canBeSentAgain: Bool {
        if case .stream(let source, _) = self { source.canRewind } else { true }
    }
}
#endif
