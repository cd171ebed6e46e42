import Foundation
import Siesta
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The responses of a recorded session.
///
/// A recording contains no secrets. Therefore the `state` of an authorization, which is random in each run, is put into
/// the recorded redirect. The tokens stay what the recording has in their place.
@MainActor
final class SessionReplay: NetworkingProvider {
    /// The base URL of the server at the time of the recording.
    let baseURL: URL
    /// The time at which the recording began, rounded to seconds.
    let start: TimeInterval
    private let replay: HARReplay

    /// Creates a replay of an archive; nil if the archive contains no request.
    init?(_ archive: HARArchive) {
        guard let first = archive.entries.first, let url = URL(string: first.request.url),
            let baseURL = URL(string: "/", relativeTo: url)?.absoluteURL
        else { return nil }
        self.baseURL = baseURL
        start = first.started.timeIntervalSinceReferenceDate.rounded()
        replay = HARReplay(archive, redaction: ScriptRecording.redaction)
    }

    /// The recorded requests that the browser has not sent. Cancelled requests have no answers, and do not count.
    var unusedRequests: [String] {
        replay.unusedEntries.filter { $0.errorCode != URLError.Code.cancelled.rawValue }
            .map { "\($0.request.method) \($0.request.url)" }
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        replay.siestaNetworkingProvider.startRequest(request) { response, body, error in
            completion(response.map { Self.response($0, to: request) }, body, error)
        }
    }

    /// Puts the state of the request into a redirect to the app.
    private nonisolated static func response(_ response: HTTPURLResponse, to request: URLRequest) -> HTTPURLResponse {
        let items = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false)?.queryItems }
        guard let state = items?.first(where: { $0.name == "state" }),
            let location = response.value(forHTTPHeaderField: "Location"), let url = response.url,
            var components = URLComponents(string: location)
        else { return response }
        components.queryItems = components.queryItems?.map { $0.name == "state" ? state : $0 }
        let header = ["Location": components.string ?? location]
        return HTTPURLResponse(
            url: url, statusCode: response.statusCode, httpVersion: "HTTP/1.1", headerFields: header) ?? response
    }
}
