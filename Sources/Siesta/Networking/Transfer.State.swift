import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Transfer {
    /// What has arrived for one request so far; decides what each event means, and does nothing itself.
    struct State: Sendable {
        /// The request that is under way: the caller's, or the one that the last redirect led to. Nil at the end.
        private(set) var request: URLRequest?

        /// What was moved of the present request and of its response, in bytes of decoded body.
        private(set) var metrics: RequestTransferMetrics

        private let limits: TransferLimits
        private let isStreamed: Bool
        private var redirects = 0
        private var response: URLResponse?
        private var body = Data()

        /// What has to be done after an event.
        enum Step {
            case wait
            /// Send ``State/request``, which is a new one.
            case send
            /// Begin with the response, whose body is to be passed on.
            case begin(HTTPURLResponse)
            case pass(Data)
            case finish(Outcome)
        }

        /// How a transfer ends.
        enum Outcome {
            case answered(HTTPURLResponse?, Data)
            case failed(URLError)
        }

        init(request: URLRequest, limits: TransferLimits, isStreamed: Bool = false) {
            self.request = request
            self.limits = limits
            self.isStreamed = isStreamed
            metrics = RequestTransferMetrics(beforeSending: request)
        }

        mutating func sent(_ total: Int64) {
            metrics.requestBytesSent = total
        }

        /// Takes the head of a response. Interim ones (1xx) mean nothing; only 101 is final.
        mutating func received(_ response: URLResponse) -> Step {
            if let status = (response as? HTTPURLResponse)?.statusCode, status < 200, status != 101 { return .wait }
            let fields = (response as? HTTPURLResponse)?.allHeaderFields.count ?? 0
            guard fields <= limits.headerFields else { return .tooLong }
            self.response = response
            metrics.responseBytesTotal = announcedBodyLength
            guard !isStreamed else { return beginning(of: response) }
            guard let length = announcedBodyLength else { return .wait }
            guard length <= limits.bodyBytes else { return .tooLong }
            body.reserveCapacity(Int(min(length, Self.trustedLength)))
            return .wait
        }

        /// Takes a piece of the body.
        mutating func received(_ data: Data) -> Step {
            metrics.responseBytesReceived += Int64(data.count)
            guard !isStreamed else { return .pass(data) }
            guard metrics.responseBytesReceived <= limits.bodyBytes else { return .tooLong }
            body.append(data)
            return .wait
        }

        /// Takes the end of the task, with its error if it failed.
        ///
        /// `lastResponse` is what the task calls its response. It counts where none was reported: on Linux, redirects
        /// without a `Location` are not, and their bodies are lost.
        mutating func completed(_ error: (any Error)?, lastResponse: URLResponse?) -> Step {
            if let error {
                return .finish(.failed(URLError(failureOf: request?.url, afterResponse: response != nil, error)))
            }
            if let length = announcedBodyLength, metrics.responseBytesReceived < length {
                return .finish(.failed(URLError(.networkConnectionLost)))
            }
            guard let request, let answer = (response ?? lastResponse) as? HTTPURLResponse else {
                return .finish(.answered(nil, body))
            }
            switch step(after: request, answer) {
            case .deliver:
                return .finish(.answered(answer, body))
            case .tooMany:
                return .finish(.failed(URLError(.httpTooManyRedirects)))
            case .insecure:
                return .finish(.failed(URLError(.appTransportSecurityRequiresSecureConnection)))
            case .follow(let redirect):
                self.redirect(to: request.following(redirect))
                return .send
            }
        }

        private func step(after request: URLRequest, _ answer: HTTPURLResponse) -> RedirectRules.Step {
            RedirectRules(limit: limits.redirects).step(
                after: request, status: answer.statusCode, location: answer.value(forHTTPHeaderField: "Location"),
                redirects: redirects)
        }

        /// Nobody wants the body of a redirect.
        private func beginning(of response: URLResponse) -> Step {
            guard let request, let answer = response as? HTTPURLResponse, step(after: request, answer) == .deliver
            else {
                return .wait
            }
            return .begin(answer)
        }

        /// Frees everything but the metrics.
        mutating func releaseContent() {
            body = Data()
            response = nil
            request = nil
        }

        private mutating func redirect(to next: URLRequest) {
            releaseContent()
            request = next
            redirects += 1
            metrics = RequestTransferMetrics(beforeSending: next)
        }

        /// How much memory is reserved on the word of a server.
        private static let trustedLength: Int64 = 4 << 20

        /// How many bytes the body will have, if the response has one and says so (RFC 9112, section 6.3).
        ///
        /// Nil also if the body is encoded, because then the length is that of the encoded form.
        private var announcedBodyLength: Int64? {
            guard
                let response = response as? HTTPURLResponse, response.expectedContentLength >= 0,
                request?.httpMethod != "HEAD", response.statusCode != 204, response.statusCode != 304,
                response.value(forHTTPHeaderField: "Transfer-Encoding") == nil,
                response.value(forHTTPHeaderField: "Content-Encoding").map({ $0.lowercased() == "identity" }) ?? true
            else { return nil }
            return response.expectedContentLength
        }
    }
}

extension Transfer.State.Step {
    fileprivate static let tooLong = Transfer.State.Step.finish(.failed(URLError(.dataLengthExceedsMaximum)))
}

extension RequestTransferMetrics {
    /// Nothing moved yet; the size of the request is known unless its body is a stream of no announced length.
    fileprivate init(beforeSending request: URLRequest) {
        let length =
            request.httpBodyStream == nil
            ? Int64(request.httpBody?.count ?? 0)
            : request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
        self.init(requestBytesSent: 0, requestBytesTotal: length, responseBytesReceived: 0, responseBytesTotal: nil)
    }
}
