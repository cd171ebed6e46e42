import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SessionExchange {
    /// The state of one exchange. It decides the next step after each event, and has no side effects.
    struct State: Sendable {
        /// The current request: the caller's request, or the target of the last redirect. Nil after the end.
        private(set) var request: URLRequest?

        /// The number of bytes that were sent for the current request and received in its response. Response bytes are
        /// counted after decoding.
        private(set) var metrics: RequestTransferMetrics

        /// The extras of the current request. A redirect that leads out of their scope removes the credentials.
        private(set) var extras: RequestExtras?

        /// The redirects that were followed.
        private(set) var chain = NetworkResponse.RedirectChain.known([])

        private let limits: ExchangeLimits
        private let isStreamed: Bool
        private var redirects = 0
        /// True if a redirect has answered a request that must not be sent twice, and asks for another one: the server
        /// may have carried out the first request.
        private var mayHaveHadEffect = false
        private var hasResponse = false
        /// The response, if it is one of HTTP.
        private var answer: HTTPURLResponse?
        private var body = Data()

        /// The step after an event.
        enum Step {
            case wait
            /// Send ``State/request``, which has changed.
            case send
            /// Begin to pass on the response and its body.
            case begin(HTTPURLResponse)
            case pass(Data)
            case finish(Outcome)
        }

        enum Outcome {
            case answered(HTTPURLResponse?, Data)
            case failed(any Error)
        }

        init(
            request: URLRequest, limits: ExchangeLimits, isStreamed: Bool = false, extras: RequestExtras? = nil
        ) {
            var request = request
            self.extras = extras
            self.extras?.confine(&request)
            self.request = request
            self.limits = limits
            self.isStreamed = isStreamed
            metrics = RequestTransferMetrics(beforeSending: request)
        }

        mutating func sent(_ total: Int64) {
            metrics.requestBytesSent = total
        }

        /// Handles the head of a response. Interim responses (1xx) are ignored, except 101, which is final. If the
        /// request did not ask for another protocol, what follows a 101 is no body, and may never end.
        mutating func received(_ response: URLResponse) -> Step {
            let answer = response as? HTTPURLResponse
            if let status = answer?.statusCode, status < 200, status != 101 { return .wait }
            guard answer?.allHeaderFields.count ?? 0 <= limits.headerFields else {
                return failure(.dataLengthExceedsMaximum)
            }
            (hasResponse, self.answer) = (true, answer)
            if answer?.statusCode == 101, request?.value(forHTTPHeaderField: "Upgrade") == nil {
                return .finish(.answered(answer, Data()))
            }
            metrics.responseBytesTotal = announcedBodyLength
            guard !isStreamed else { return beginning }
            guard let length = announcedBodyLength else { return .wait }
            guard length <= limits.bodyBytes else { return withoutBody(.dataLengthExceedsMaximum) }
            body.reserveCapacity(Int(min(length, Self.trustedLength)))
            return .wait
        }

        /// Handles a piece of the body.
        mutating func received(_ data: Data) -> Step {
            metrics.responseBytesReceived += Int64(data.count)
            guard !isStreamed else { return .pass(data) }
            guard metrics.responseBytesReceived <= limits.bodyBytes else {
                return withoutBody(.dataLengthExceedsMaximum)
            }
            body.append(data)
            return .wait
        }

        /// Handles the end of the task, with its error if it failed.
        ///
        /// `lastResponse` is the task's `response`. It is used if no response was reported. On Linux, a redirect
        /// without a `Location` is not reported, and its body is lost.
        mutating func completed(_ error: (any Error)?, lastResponse: URLResponse?) -> Step {
            if let error {
                let error = URLError.of(error, failureOf: request?.url, afterResponse: hasResponse)
                let code = (error as? URLError)?.code
                if mayHaveHadEffect, let code, Self.unsent.contains(code) { return failure(.networkConnectionLost) }
                guard code == .cannotDecodeContentData || code == .cannotDecodeRawData else {
                    return .finish(.failed(error))
                }
                return withoutBody(error)
            }
            if let length = announcedBodyLength, metrics.responseBytesReceived < length {
                return failure(.networkConnectionLost)
            }
            guard let request, let answer = hasResponse ? answer : lastResponse as? HTTPURLResponse else {
                return .finish(.answered(nil, body))
            }
            switch step(after: request, answer) {
            case .deliver:
                return .finish(.answered(answer, body))
            case .tooMany:
                return failure(.httpTooManyRedirects)
            case .insecure:
                return failure(.appTransportSecurityRequiresSecureConnection)
            case .follow(let redirect):
                chain.append(NetworkResponse.Hop(status: answer.statusCode, fields: HeaderFields(answer)))
                var next = request.following(redirect)
                extras?.confine(&next, after: request.url, redirect)
                self.redirect(to: next)
                return .send
            }
        }

        /// Delivers an error response without its body, which cannot be read. Its status and its fields may tell when
        /// the request can be sent again. Another response fails.
        private func withoutBody(_ error: any Error) -> Step {
            guard !isStreamed, let answer, answer.statusCode >= 400 else {
                return .finish(.failed(error))
            }
            return .finish(.answered(answer, Data()))
        }

        private func withoutBody(_ code: URLError.Code) -> Step { withoutBody(URLError(code, at: request?.url)) }

        /// Returns the end with an error of the current request, which names its origin.
        func failure(_ code: URLError.Code) -> Step { .finish(.failed(URLError(code, at: request?.url))) }

        private func step(after request: URLRequest, _ answer: HTTPURLResponse) -> RedirectRules.Step {
            if extras?.deliversRedirects == true { return .deliver }
            return RedirectRules(limit: limits.redirects).step(
                after: request, status: answer.statusCode, location: answer.value(forHTTPHeaderField: "Location"),
                redirects: redirects)
        }

        /// Begins to pass on a response, unless it is a redirect that is followed or refused: the body of such a
        /// redirect is not needed.
        private var beginning: Step {
            guard let request, let answer, step(after: request, answer) == .deliver else { return .wait }
            return .begin(answer)
        }

        /// Releases everything except the metrics.
        mutating func releaseContent() {
            body = Data()
            (hasResponse, answer) = (false, nil)
            request = nil
        }

        private mutating func redirect(to next: URLRequest) {
            if let last = request, last.httpMethod != next.httpMethod, !last.isRepeatable { mayHaveHadEffect = true }
            releaseContent()
            request = next
            redirects += 1
            metrics = RequestTransferMetrics(beforeSending: next)
        }

        /// The errors that occur before a request is sent.
        private static let unsent: Set<URLError.Code> = [
            .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
        ]

        /// The maximum amount of memory, in bytes, that is reserved because of a length announced by a server.
        private static let trustedLength: Int64 = 4 << 20

        /// The announced length of the body in bytes (RFC 9112 §6.3); nil if there is no body or no announced length.
        ///
        /// It is also nil if the body is encoded, because the announced length is the length of the encoded form.
        private var announcedBodyLength: Int64? {
            guard
                let answer, answer.expectedContentLength >= 0, request?.httpMethod != "HEAD",
                answer.statusCode != 204, answer.statusCode != 304,
                answer.value(forHTTPHeaderField: "Transfer-Encoding") == nil,
                answer.value(forHTTPHeaderField: "Content-Encoding").map({ $0.lowercased() == "identity" }) ?? true
            else { return nil }
            return answer.expectedContentLength
        }
    }
}

extension URLRequest {
    /// True if the request may be sent twice; see ``HTTPMethods/isRepeatable(_:hasKey:)``.
    fileprivate var isRepeatable: Bool {
        HTTPMethods.isRepeatable(
            httpMethod ?? "GET", hasKey: IdempotencyKey.isKey(value(forHTTPHeaderField: IdempotencyKey.field)))
    }
}

extension RequestTransferMetrics {
    /// Creates the metrics before a byte is sent. The size of the request is known unless its body is a stream without
    /// an announced length.
    fileprivate init(beforeSending request: URLRequest) {
        let length =
            request.httpBodyStream == nil
            ? Int64(request.httpBody?.count ?? 0)
            : request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
        self.init(requestBytesSent: 0, requestBytesTotal: length, responseBytesReceived: 0, responseBytesTotal: nil)
    }
}
