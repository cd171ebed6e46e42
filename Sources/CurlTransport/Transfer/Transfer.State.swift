#if os(Linux)
import Foundation
import HTTPRules

extension Transfer {
    /// What has arrived for one transfer so far; decides what it means, and does nothing itself.
    struct State {
        /// The request that is under way: the caller's, or the one that the last redirect led to.
        private(set) var request: TransportRequest

        /// Why a callback ended the transfer.
        var failure: TransportError?

        /// What follows the response, once its head is complete.
        private(set) var step = RedirectRules.Step.deliver

        /// Decoded bytes of the body of the present response.
        var bodyBytes = 0

        private(set) var redirects = 0
        private var resends = 0
        private var parser: ResponseHeadParser
        private let rules: RedirectRules?
        private let decodes: Bool

        init(request: TransportRequest, options: TransportOptions) {
            self.request = request
            decodes = options.acceptedEncodings != .none
            parser = ResponseHeadParser(limit: options.headerBytes, fieldLimit: options.headerFields)
            rules =
                switch options.redirects {
                case .follow(let limit):
                    RedirectRules(limit: limit, allowsInsecure: options.followsInsecureRedirects)
                case .deliver: nil
                }
        }

        /// The head, once it is complete.
        var head: ResponseHead? { parser.isComplete ? head(with: parser.headers) : nil }

        /// The head, once it is complete, which is not needed any longer.
        mutating func takeHead() -> ResponseHead? { parser.isComplete ? head(with: parser.takeHeaders()) : nil }

        private func head(with headers: HeaderList) -> ResponseHead {
            ResponseHead(url: request.url, status: parser.status, httpVersion: parser.version, headers: headers)
        }

        /// What a connection that ended before the head was complete means.
        func errorWithoutHead(isRepeatable: Bool) -> TransportError {
            guard parser.status > 0 else {
                return TransportError(.protocolViolation, "What came is no HTTP response")
            }
            let message = "The connection ended inside the head of the response"
            return isRepeatable ? TransportError(.connectionLost, message) : .outcomeUnknown(message)
        }

        /// Bytes of headers that have arrived for the present request.
        var headerBytes: Int { parser.received }

        /// Whether the head is complete.
        var hasHead: Bool { parser.isComplete }

        /// Whether the response is only a step on the way, and nobody wants its body.
        var isPassing: Bool { step != .deliver }

        /// How the body is treated, as its `Content-Encoding` says.
        private(set) var treatment = ContentCoding.Treatment.keep

        /// Whether the response is a stream of events, which may send little for as long as it likes.
        var isEventStream: Bool {
            parser.isComplete
                && parser.headers.values(of: "Content-Type").first?.lowercased().hasPrefix("text/event-stream") == true
        }

        /// Takes a line of the headers.
        mutating func receive(headerLine: UnsafeRawBufferPointer) -> ResponseHeadParser.Event {
            let event = parser.receive(headerLine)
            if event == .head { readHead() }
            return event
        }

        private mutating func readHead() {
            if parser.headers.contains("Content-Encoding") { treatment = treatmentOfBody }
            if hasConflictingLengths {
                failure = TransportError(.protocolViolation, "The response has two lengths")
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

        /// Whether nobody can know where the body ends (RFC 9112, section 6.3).
        private var hasConflictingLengths: Bool {
            parser.headers.isContradictory("Content-Length") && !parser.headers.contains("Transfer-Encoding")
        }

        /// Where a redirect leads; nil if the server contradicts itself.
        private var location: String? {
            parser.headers.isContradictory("Location") ? nil : parser.headers.values(of: "Location").first
        }

        /// Turns to the request that a redirect leads to.
        mutating func follow(_ redirect: RedirectRules.Redirect) {
            request.url = redirect.url
            request.method = redirect.method
            request.headers.remove { !redirect.keepsHeader($0) }
            if !redirect.keepsBody {
                request.body = .none
            }
            redirects += 1
            resends = 0  // which count for one request, not for all that redirects lead to
            startOver()
        }

        /// Whether the same request may be sent once more, because its connection was lost before it was answered.
        mutating func mayResend() -> Bool {
            guard !hasHead, resends < 2, request.body.canBeSentAgain else { return false }
            resends += 1
            startOver()
            return true
        }

        /// Frees everything that is large.
        mutating func release() {
            request.body = .none
            request.headers = HeaderList()
            parser.startOver()
        }

        private mutating func startOver() {
            parser.startOver()
            step = .deliver
            treatment = .keep
            bodyBytes = 0
            failure = nil
        }
    }
}

extension TransportRequest.Body {
    /// Whether the body can be sent a second time.
    var canBeSentAgain: Bool {
        if case .stream(let source, _) = self { source.canRewind } else { true }
    }
}
#endif
