import Dispatch
public import Foundation
public import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A provider that answers requests from a recording, without a network.
///
///     let replay = try HARReplay(contentsOf: file)
///     let service = Service(baseURL: "https://api.example.com", networking: replay)
///
/// The recording is a HAR file that a ``HARRecorder``, a browser or another tool has written. A request that was not
/// recorded fails with an error that names the most similar entries. If the recorded request failed, the replay
/// delivers the recorded part of the response body, and the request then fails with a `URLError` of the same code. If
/// an entry contains no usable response, the request fails with an error that names the reason.
///
/// A URL or a body matches a recorded one if the two are equal, either unchanged or after the ``HARRecorder/Redaction``
/// of the replay has been applied to both. JSON bodies are compared by their values, and the boundaries of multipart
/// bodies are ignored.
///
/// A stream of server-sent events delivers all recorded events together, and then ends as in the recording: with the
/// end of the response, or with an error. If the app had closed the stream, or if the stream was open when the
/// recording was written, the stream stays open.
///
/// Cookies, log-ins and redirects have no effect, because the recording contains the final responses.
@MainActor
public final class HARReplay: nonisolated NetworkingProviderConvertible {
    /// The rule that decides which entry of the recording answers a request.
    public enum Matching: Sendable {
        /// The app must send the requests in the order of the recording, with the same methods, URLs and bodies.
        case strict

        /// The order of requests with different methods or URLs does not matter. Requests with the same method and URL
        /// receive the recorded responses one after another; all later requests receive the last of them. If some of
        /// the recorded requests also have the same body as the new request, only the responses to those are used.
        case byMethodAndURL
    }

    /// The time at which responses arrive.
    public enum Timing: Sendable {
        /// Responses arrive at once.
        case immediate

        /// Each response arrives after the recorded duration, measured with the clock of the service. A response that
        /// took more than an hour arrives after one hour. The events of a stream arrive together, at the time at which
        /// the head of its response arrived in the recording.
        case recorded
    }

    private var matcher: HARMatcher
    private let timing: Timing

    /// Creates a replay of a recording.
    ///
    /// - Parameters:
    ///   - archive: The recording.
    ///   - matching: The rule by which a request finds its entry.
    ///   - timing: The time at which responses arrive.
    ///   - redaction: The redaction with which the recording was made. It has no effect on recordings without redaction.
    package init(
        _ archive: HARArchive, matching: Matching = .byMethodAndURL, timing: Timing = .immediate,
        redaction: HARRecorder.Redaction = .standard
    ) {
        matcher = HARMatcher(archive.entries, isStrict: matching == .strict, redactor: HARRedactor(redaction))
        self.timing = timing
    }

    /// Creates a replay of a HAR file.
    ///
    /// - Parameters:
    ///   - file: The HAR file that contains the recording.
    ///   - matching: The rule that decides which entry answers a request.
    ///   - timing: The time at which responses arrive.
    ///   - redaction: The redaction with which the recording was made. It has no effect on recordings without redaction.
    /// - Throws: An error that names the file and the reason, if the file cannot be read or is not a HAR file.
    public convenience init(
        contentsOf file: URL, matching: Matching = .byMethodAndURL, timing: Timing = .immediate,
        redaction: HARRecorder.Redaction = .standard
    ) throws {
        try self.init(HARArchive(contentsOf: file), matching: matching, timing: timing, redaction: redaction)
    }

    /// The method and the URL of each recorded request that the app has not sent, in the order of the recording.
    public var unusedRequests: [String] {
        unusedEntries.map { PreparedText.line("\($0.request.method) \($0.request.url)") }
    }

    /// The entries that have answered no request, in the order of the recording.
    package var unusedEntries: [HARArchive.Entry] { matcher.unusedEntries }

    /// The provider for a service. To delay responses, it uses the clock that is current when this property is read.
    public var siestaNetworkingProvider: any NetworkingProvider { Clocked(replay: self, clock: .current) }

    /// Reads the body of the request to its end, and then answers the request. The receiver gets the body of the
    /// response in one piece.
    private func start(
        _ request: URLRequest, body: (any StreamedBody)? = nil, receiver: (any ResponseReceiver)?, clock: SiestaClock,
        _ completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let exchange = HARReplayExchange(receiver: receiver, completion)
        guard let body else {
            let isStream = request.httpBodyStream != nil
            answer(exchange, HARMatcher.Question(request, body: isStream ? nil : request.httpBody ?? Data()), clock)
            return exchange
        }
        exchange.read(body) { content in
            self.answer(exchange, HARMatcher.Question(request, body: content), clock)
        }
        return exchange
    }

    private func answer(_ exchange: HARReplayExchange, _ question: HARMatcher.Question, _ clock: SiestaClock) {
        do {
            let entry = try matcher.entry(for: question)
            let answer = try HARReplayAnswer(entry, to: question)
            let time = entry.isEventStream ? entry.timings.total - entry.timings.receive : entry.time
            guard timing == .recorded, time > 0 else { return exchange.complete(answer) }
            exchange.complete(answer, after: min(time, 3600), clock)
        } catch {
            exchange.complete(.failure(error))
        }
    }

    /// The replay for the services of one clock.
    private struct Clocked: nonisolated StreamingNetworkingProvider {
        let replay: HARReplay
        let clock: SiestaClock

        func startRequest(
            _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            replay.start(request, receiver: nil, clock: clock, completion)
        }

        func startRequest(
            _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
            completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            replay.start(request, body: body, receiver: receiver, clock: clock, completion)
        }
    }
}
