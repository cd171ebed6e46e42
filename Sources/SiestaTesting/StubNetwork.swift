public import Foundation
public import Siesta

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A network that gives scripted answers, and records the requests.
///
///     let network = StubNetwork()
///     network.answer(.get, "/users/42", with: .json(#"{"name": "Ada"}"#), .failure(.timedOut))
///     let service = Service(baseURL: "https://api.test", networking: network)
///
/// It answers at once, unless a ``StubGate`` or ``StubAnswer/held`` holds the answer back. A request without a scripted
/// answer fails with ``UnexpectedRequest``. If no server could give the answer, the request fails with
/// ``ImpossibleAnswer``. At the end of a test, ``unusedAnswers`` shows whether all answers were used.
@MainActor
public final class StubNetwork: NetworkingProvider {
    /// The error of a request without a scripted answer.
    public struct UnexpectedRequest: LocalizedError, CustomStringConvertible {
        /// The request's method in upper case.
        public let method: String
        /// The request's URL.
        public let url: String

        /// A description that names the request and says how to script an answer.
        public var errorDescription: String? { description }

        /// The same text as ``errorDescription``.
        public var description: String {
            PreparedText.line(
                "No answer is scripted for \(method) \(PreparedText.url(url)): use StubNetwork.answer(…)")
        }
    }

    /// The error of a request whose answer no server could give: a test that relies on such an answer proves nothing.
    public struct ImpossibleAnswer: LocalizedError, CustomStringConvertible {
        /// The request's method in upper case.
        public let method: String
        /// The request's URL.
        public let url: String
        /// The reason why no server could give the answer, as a sentence.
        public let reason: String

        /// A description that names the request and the reason.
        public var errorDescription: String? { description }

        /// The same text as ``errorDescription``.
        public var description: String {
            PreparedText.line("No server can give the answer to \(method) \(PreparedText.url(url)): \(reason)")
        }
    }

    /// A scripted answer that no request has used.
    public struct UnusedAnswer: Sendable, CustomStringConvertible {
        /// The method of the script in upper case.
        public let method: String
        /// The path of the script.
        public let path: String
        /// The answer.
        public let answer: StubAnswer

        /// The method, the path and the answer.
        public var description: String { "\(method) \(path): \(answer.summary)" }
    }

    /// The exchanges so far, in the order of the requests.
    public private(set) var exchanges: [StubExchange] = []

    /// A closure that is asked before the scripted answers. If it returns nil, the scripted answers apply.
    public var handler: ((URLRequest) -> StubAnswer?)?

    fileprivate struct Script {
        let method: String
        let suffix: String
        var answers: [StubAnswer]
        /// True if the first of the answers was given. The last answer stays in the list.
        var isFirstUsed = false
    }

    private var scripts: [Script] = []
    private var clocks: Set<ObjectIdentifier> = []

    /// Creates a network without answers.
    public nonisolated init() {}

    /// The requests so far, in order.
    public var requests: [URLRequest] { exchanges.map(\.request) }

    /// The scripted answers that no request has used, in the order of the scripts. Expect it to be empty at the end of
    /// a test.
    ///
    /// An answer counts as used once a request has asked for it, even if the request was cancelled or the answer is
    /// held.
    public var unusedAnswers: [UnusedAnswer] {
        scripts.flatMap { script in
            script.answers.dropFirst(script.isFirstUsed ? 1 : 0).map {
                UnusedAnswer(method: script.method, path: script.suffix, answer: $0)
            }
        }
    }

    /// The exchange of the last request, for tests that make one request.
    public var lastExchange: StubExchange? { exchanges.last }

    /// Scripts the answers to requests with this `method` whose URL ends with `path`.
    ///
    /// The URL is compared without its query, unless `path` has one. The answers are given one after the other, and the
    /// last one to all later requests. If several scripts match, the newest applies.
    public func answer(_ method: RequestMethod = .get, _ path: String, with answers: StubAnswer...) {
        scripts.append(Script(method: method.rawValue.uppercased(), suffix: path, answers: answers))
    }

    /// Records the request and gives the scripted answer.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let exchange = StubExchange(request: request, completion: completion)
        exchanges.append(exchange)
        exchange.follow(handler?(request) ?? scriptedAnswer(to: request))
        return exchange
    }

    /// The network itself. A service reads this property when it is created; all services on one network should use the
    /// same clock.
    public var siestaNetworkingProvider: any NetworkingProvider {
        clocks.insert(ObjectIdentifier(SiestaClock.current))
        if clocks.count > 1, clocks.contains(ObjectIdentifier(SiestaClock.system)) {
            SiestaLog.warn(Self.clockWarning)
        }
        return self
    }

    static let clockWarning = """
        Warning: of the services on one StubNetwork, some have a clock of a test, and others the system's, which ignores \
        that one. Make each of them inside clock.whileCurrent { … }.
        """

    private func scriptedAnswer(to request: URLRequest) -> StubAnswer {
        let method = request.httpMethod ?? ""
        let url = request.url?.absoluteString ?? ""
        guard let index = scripts.lastIndex(where: { $0.method == method && $0.applies(to: url) }),
            let answer = scripts[index].answers.first
        else { return .failure(UnexpectedRequest(method: method, url: url)) }
        if scripts[index].answers.count > 1 {
            scripts[index].answers.removeFirst()
        } else {
            scripts[index].isFirstUsed = true
        }
        return answer
    }
}

extension StubNetwork.Script {
    fileprivate func applies(to url: String) -> Bool {
        url.hasSuffix(suffix) || !suffix.contains("?") && url.prefix { $0 != "?" }.hasSuffix(suffix)
    }
}
