import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The settings of a session configuration that the library itself applies to each request, because `URLSession` does
/// not apply them correctly.
struct RequestDefaults: Sendable {
    /// The fields that are added to a request if it does not contain them. A session would also send them to other
    /// origins.
    let headers: [String: String]

    /// The maximum duration of any request, in seconds, including redirects; nil for no limit.
    private let totalTimeout: TimeInterval?

    /// The maximum duration, in seconds, of a request whose request and response bodies are in memory; nil for no
    /// limit.
    private let loadTimeout: TimeInterval?

    init(_ configuration: URLSessionConfiguration) {
        var headers: [String: String] = [:]
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            headers["\(name)"] = "\(value)"
        }
        self.headers = headers
        let timeout = configuration.timeoutIntervalForResource
        totalTimeout = timeout > 0 && timeout < Self.sevenDays ? timeout : nil
        loadTimeout = timeout == Self.sevenDays ? Self.tenMinutes : nil
    }

    /// The default of `timeoutIntervalForResource`. It means that the app has not set the property.
    private static let sevenDays: TimeInterval = 7 * 24 * 60 * 60
    private static let tenMinutes: TimeInterval = 10 * 60

    /// Returns the maximum duration of a request, in seconds, including redirects; nil for no limit.
    ///
    /// The limit for loads is ten minutes unless the configuration sets another limit. It is never shorter than the
    /// request's own time-out, because a server may be silent for that time.
    func totalTimeout(for request: URLRequest, isStreamed: Bool) -> TimeInterval? {
        guard totalTimeout == nil, !isStreamed, request.httpBodyStream == nil else { return totalTimeout }
        return loadTimeout.map { max($0, request.timeoutInterval) }
    }

    /// Returns `request` with the default headers that it does not contain.
    func applied(to request: URLRequest) -> URLRequest {
        guard request.url != nil else { return request }  // changing it traps on Linux
        var request = request
        for (name, value) in headers where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }
}
