public import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A network that gives scripted answers, and records the requests.
///
///     let network = StubNetwork()
///     network.answer(.get, "/users/42", with: .json(#"{"name": "Ada"}"#), .failure(.timedOut))
///     let service = Service(baseURL: "https://api.test", networking: network)
///
/// By default, the network answers at once. A ``StubGate`` or ``StubAnswer/held`` holds an answer back. If a request
/// has no scripted answer, or if the scripted answer is one that HTTP does not allow, the request fails with an error
/// that names the request. An answer can also be a stream, which the test sends in pieces; see
/// ``StubAnswer/stream(_:headers:)``. At the end of a test, ``unusedAnswers`` describes the answers that were not used.
@MainActor
public final class StubNetwork: NetworkingProvider {
    /// The error of a request without a scripted answer.
    package struct UnexpectedRequest: LocalizedError, CustomStringConvertible {
        let method: String
        let url: String

        package var errorDescription: String? { description }

        /// A description that names the request and the remedy.
        package var description: String {
            PreparedText.line(
                "No response is scripted for \(method) \(PreparedText.url(url)): use StubNetwork.answer(…)")
        }
    }

    /// The error of a request with an answer that no server could send. Such an answer would make a test meaningless.
    package struct ImpossibleAnswer: LocalizedError, CustomStringConvertible {
        let method: String
        let url: String
        /// The reason why no server could send the answer, as a sentence.
        package let reason: String

        package var errorDescription: String? { description }

        /// A description that names the request and the reason.
        package var description: String {
            PreparedText.line("No server could give this response to \(method) \(PreparedText.url(url)): \(reason)")
        }
    }

    /// The exchanges so far, in the order of the requests.
    public private(set) var exchanges: [StubExchange] = []

    /// A closure that returns the answer to a request. If the closure returns nil, the scripted answers apply.
    public var handler: ((URLRequest) -> StubAnswer?)?

    fileprivate struct Script {
        let method: String
        let suffix: String
        var answers: [StubAnswer]
        /// True if the first answer has been given. The last answer stays in the list.
        var isFirstUsed = false
    }

    private var scripts: [Script] = []
    private let requestCount = AwaitedCount()
    private var clocks: Set<ObjectIdentifier> = []

    /// Creates a network without answers.
    public nonisolated init() {}

    /// The requests so far, in order.
    public var requests: [URLRequest] { exchanges.map(\.request) }

    /// Descriptions of the scripted answers that no request has used, in the order of the scripts, such as
    /// `GET /users/42: 200, 15 bytes`. At the end of a test, this list should be empty.
    ///
    /// An answer counts as used as soon as the network has chosen it for a request, even if the answer is held back or
    /// the request is cancelled.
    public var unusedAnswers: [String] {
        scripts.flatMap { script in
            script.answers.dropFirst(script.isFirstUsed ? 1 : 0).map {
                "\(script.method) \(script.suffix): \($0.summary)"
            }
        }
    }

    /// Waits for a request, and returns its exchange. If the request has already arrived, returns at once.
    ///
    ///     screen.appear()
    ///     try await network.exchange(1).respond(with: .json("{}"))
    ///
    /// - Parameters:
    ///   - number: The number of the request. The first request of this network has the number 1. The number must be at
    ///     least 1; otherwise, a runtime error stops the process.
    ///   - timeLimit: The real time after which the wait fails. The default is 30 seconds.
    /// - Throws: An error that names the requests that have arrived, if `timeLimit` has passed. `CancellationError`, if
    ///   the waiting task is cancelled, for example by the time limit of the test framework.
    public func exchange(_ number: Int, timeLimit: Duration = .seconds(30)) async throws -> StubExchange {
        guard number >= 1 else { fatalError("StubNetwork.exchange(_:) counts requests from 1, but got \(number)") }
        try await requestCount.wait(for: number, timeLimit: timeLimit) { missing(number) }
        return exchanges[number - 1]
    }

    private func missing(_ number: Int) -> String {
        let requests = requests.prefix(20).map { "\($0.httpMethod ?? "") \(PreparedText.url($0.url))" }
        let present =
            requests.isEmpty
            ? "no request has arrived." : "\(self.requests.count) arrived: \(requests.joined(separator: ", "))"
        return "request \(number) of a StubNetwork: \(present)"
    }

    /// The exchange of the last request, for tests that make one request.
    public var lastExchange: StubExchange? { exchanges.last }

    /// Scripts the answers to requests with this `method` whose URL ends with `path`.
    ///
    /// The URL is compared without its query, unless `path` has a query. Each request receives the next answer. When
    /// all answers have been used, further requests receive the last answer again. If several scripts match a request,
    /// the newest script applies.
    public func answer(_ method: RequestMethod = .get, _ path: String, with answers: StubAnswer...) {
        scripts.append(Script(method: method.rawValue.uppercased(), suffix: path, answers: answers))
    }

    /// Records the request, and responds with the scripted answer.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        record(StubExchange(request: request, receiver: nil, completion: completion))
    }

    private func record(_ exchange: StubExchange) -> StubExchange {
        exchanges.append(exchange)
        requestCount.add(1)
        exchange.follow(handler?(exchange.request) ?? scriptedAnswer(to: exchange.request))
        return exchange
    }

    /// The network itself. A service reads this property when it is created. All services on one network should use the
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
        (suffix.contains("?") ? url[...] : url.prefix { $0 != "?" }).hasSuffix(suffix)
    }
}

extension StubNetwork: Transport {
    package var capabilities: TransportCapabilities { .streaming }

    /// Starts a call. A body that is read while it is sent is read before, as for every provider without streaming.
    package func start(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        let provider: any NetworkingProvider = call.body == nil ? Streaming(network: self) : Whole(network: self)
        return ProviderTransport(provider).start(call, completion: completion)
    }

    /// The network as a provider of whole bodies.
    private struct Whole: NetworkingProvider {
        let network: StubNetwork

        func startRequest(
            _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            network.startRequest(request, completion: completion)
        }
    }

    /// The network as a provider of streams.
    private struct Streaming: StreamingNetworkingProvider {
        let network: StubNetwork

        func startRequest(
            _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            network.startRequest(request, completion: completion)
        }

        func startRequest(
            _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
            completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            network.record(StubExchange(request: request, receiver: receiver, completion: completion))
        }
    }
}
