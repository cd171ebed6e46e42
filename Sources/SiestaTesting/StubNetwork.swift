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
/// scripted fails with ``UnexpectedRequest``.
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

    /// Every request so far, in the order in which they came.
    public private(set) var exchanges: [StubExchange] = []

    /// Asked before the scripted answers; nil leaves the request to them.
    public var handler: ((URLRequest) -> StubAnswer?)?

    fileprivate struct Script {
        let method: String
        let suffix: String
        var answers: [StubAnswer]
    }

    private var scripts: [Script] = []

    /// Creates a network without answers.
    public nonisolated init() {}

    /// The requests so far.
    public var requests: [URLRequest] { exchanges.map(\.request) }

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

    private func scriptedAnswer(to request: URLRequest) -> StubAnswer {
        let method = request.httpMethod ?? ""
        let url = request.url?.absoluteString ?? ""
        guard let index = scripts.lastIndex(where: { $0.method == method && $0.applies(to: url) }),
            let answer = scripts[index].answers.first
        else { return .failure(UnexpectedRequest(method: method, url: url)) }
        if scripts[index].answers.count > 1 { scripts[index].answers.removeFirst() }
        return answer
    }
}

extension StubNetwork.Script {
    fileprivate func applies(to url: String) -> Bool {
        url.hasSuffix(suffix) || !suffix.contains("?") && url.prefix { $0 != "?" }.hasSuffix(suffix)
    }
}
