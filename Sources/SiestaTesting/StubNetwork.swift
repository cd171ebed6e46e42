public import Foundation
public import Siesta

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A network that answers as a test tells it to, and remembers what it was asked.
///
///     let network = StubNetwork()
///     network.answer(.get, "/users/42", with: .json(#"{"name": "Ada"}"#), .failure(.timedOut))
///     let service = Service(baseURL: "https://api.test", networking: network)
///
/// Answers come at once, unless a ``StubGate`` or ``StubAnswer/held`` keeps them back. A request for which nothing is
/// scripted fails with ``UnexpectedRequest``, and one whose answer no server could give with ``ImpossibleAnswer``.
/// ``unusedAnswers`` tells at the end of a test whether all was asked for.
@MainActor
public final class StubNetwork: NetworkingProvider {
    /// The error of a request for which no answer was scripted.
    public struct UnexpectedRequest: LocalizedError, CustomStringConvertible {
        /// The request's method in upper case.
        public let method: String
        /// The request's URL.
        public let url: String

        /// Says what was asked and how to script it.
        public var errorDescription: String? { description }

        /// The same as ``errorDescription``.
        public var description: String {
            PreparedText.line(
                "No answer is scripted for \(method) \(PreparedText.url(url)): use StubNetwork.answer(…)")
        }
    }

    /// The error of a request whose answer no server could give: a test that relies on it proves nothing.
    public struct ImpossibleAnswer: LocalizedError, CustomStringConvertible {
        /// The request's method in upper case.
        public let method: String
        /// The request's URL.
        public let url: String
        /// What is impossible about the answer, as a sentence.
        public let reason: String

        /// Says what is wrong with the answer.
        public var errorDescription: String? { description }

        /// The same as ``errorDescription``.
        public var description: String {
            PreparedText.line("No server can give the answer to \(method) \(PreparedText.url(url)): \(reason)")
        }
    }

    /// An answer that was scripted, and that no request has got.
    public struct UnusedAnswer: Sendable, CustomStringConvertible {
        /// The method of the script in upper case.
        public let method: String
        /// The path of the script.
        public let path: String
        /// The answer.
        public let answer: StubAnswer

        /// Method, path and answer.
        public var description: String { "\(method) \(path): \(answer.summary)" }
    }

    /// Every request so far, in the order in which they came.
    public private(set) var exchanges: [StubExchange] = []

    /// Asked before the scripted answers; nil leaves the request to them.
    public var handler: ((URLRequest) -> StubAnswer?)?

    fileprivate struct Script {
        let method: String
        let suffix: String
        var answers: [StubAnswer]
        /// Whether the first of the answers was given. It stays if it is the last.
        var isFirstUsed = false
    }

    private var scripts: [Script] = []
    private var clocks: Set<ObjectIdentifier> = []

    /// Creates a network without answers.
    public nonisolated init() {}

    /// The requests so far.
    public var requests: [URLRequest] { exchanges.map(\.request) }

    /// The scripted answers that no request has got, in the order in which they were scripted: expect it to be empty at
    /// the end of a test.
    ///
    /// An answer is used once a request has asked for it, also if that was cancelled or the answer is held.
    public var unusedAnswers: [UnusedAnswer] {
        scripts.flatMap { script in
            script.answers.dropFirst(script.isFirstUsed ? 1 : 0).map {
                UnusedAnswer(method: script.method, path: script.suffix, answer: $0)
            }
        }
    }

    /// The last request, for tests that make one.
    public var lastExchange: StubExchange? { exchanges.last }

    /// Scripts the answers to requests whose method is `method` and whose URL, without its query unless `path` has one,
    /// ends with `path`: one after the other, and the last for all that follow. The newest script that applies counts.
    public func answer(_ method: RequestMethod = .get, _ path: String, with answers: StubAnswer...) {
        scripts.append(Script(method: method.rawValue.uppercased(), suffix: path, answers: answers))
    }

    /// Takes the request down and answers as scripted.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let exchange = StubExchange(request: request, completion: completion)
        exchanges.append(exchange)
        exchange.follow(handler?(request) ?? scriptedAnswer(to: request))
        return exchange
    }

    /// The network itself. A service asks for it when it is made; services on one network have one clock.
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
