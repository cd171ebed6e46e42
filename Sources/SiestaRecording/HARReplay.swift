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
/// The recording is a HAR file of a ``HARRecorder``, of a browser, or of another tool. A request that was not recorded
/// fails with an error that names the most similar entries. An entry with an error fails with a `URLError` of the same
/// code, after the part of its body that had arrived. If no response can be made from an entry, the error of the request
/// names the reason.
///
/// URLs and bodies are compared as they were recorded, and after the ``HARRecorder/Redaction`` of the replay. Bodies of
/// JSON are compared by their values, and the boundaries of multipart bodies are ignored.
///
/// A stream of server-sent events delivers its recorded events at once, and then ends as in the recording: with the end
/// of the response, or with its error. If the app had closed the stream, or if the stream was open when the recording
/// was written, the stream stays open.
///
/// Cookies, logins and redirects have no effect: the recording contains the final responses.
@MainActor
public final class HARReplay: nonisolated NetworkingProviderConvertible {
    /// The rule by which a request finds its entry.
    public enum Matching: Sendable {
        /// Requests must have the same order as in the recording, and the same methods, URLs and bodies.
        case strict

        /// The order of different URLs does not matter. Requests with the same method and URL receive the recorded
        /// responses one after another; all later requests receive the last of them. If some of these entries also have
        /// the same body, only those are used.
        case byMethodAndURL
    }

    /// The time at which responses arrive.
    public enum Timing: Sendable {
        /// Responses arrive at once.
        case immediate

        /// Responses arrive after the recorded time, by the clock of the service, but after at most an hour. The events
        /// of a stream arrive together, after the recorded time of the head of its response.
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
    ///   - file: The recording.
    ///   - matching: The rule by which a request finds its entry.
    ///   - timing: The time at which responses arrive.
    ///   - redaction: The redaction with which the recording was made. It has no effect on recordings without redaction.
    /// - Throws: An error that names the file and the reason if the file cannot be read, or is no HAR file.
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

    /// The provider for a service. Recorded times are measured with the current clock.
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
