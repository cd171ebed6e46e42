import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answer of a replay to one request.
enum HARReplayAnswer: Sendable {
    case response(HTTPURLResponse, Data)
    /// An event stream that does not end after its events, or a body that ends with an error.
    case stream(HTTPURLResponse, Data, URLError?)
    case failure(any Error)

    /// Makes the answer that an entry describes.
    ///
    /// - Throws: ``HARReplay/UnusableEntry`` if the entry contains no complete and possible response.
    init(_ entry: HARArchive.Entry, to question: HARMatcher.Question) throws {
        let error = Self.error(of: entry)
        if let error, !entry.isEventStream, !Self.hasPart(entry) {
            self = .failure(error)
            return
        }
        let recorded = entry.response
        let isBodiless = question.method == "HEAD" || recorded.status == 204 || recorded.status == 304
        guard let body = isBodiless ? Data() : try Self.body(of: entry, question) else {
            throw HARReplay.UnusableEntry(entry, question, "the recording does not contain the body of the response.")
        }
        let isWhole = !isBodiless && (error == nil || entry.isEventStream)
        let headers = Self.headers(recorded.headers, bodySize: isWhole ? body.count : nil)
        let reason = FinalResponse.impossibility(
            status: recorded.status, headers: headers, hasBody: !body.isEmpty, method: question.method)
        if let reason {
            throw HARReplay.UnusableEntry(entry, question, reason)
        }
        let url = recorded.url?.url ?? question.request.url
        let response = url.flatMap {
            HTTPURLResponse(url: $0, statusCode: recorded.status, httpVersion: "HTTP/1.1", headerFields: headers)
        }
        guard let response else { throw HARReplay.UnusableEntry(entry, question, "the response has no valid URL.") }
        self = error.map { .stream(response, body, entry.isCancelled ? nil : $0) } ?? .response(response, body)
    }

    /// Returns the recorded error; nil if there was none. A stream of which the recording lacks the rest is lost.
    private static func error(of entry: HARArchive.Entry) -> URLError? {
        if let code = entry.errorCode { return URLError(URLError.Code(rawValue: code) ?? .unknown) }
        if entry.error != nil || entry.response.status == 0 { return URLError(.unknown) }
        return entry.isEventStream && entry.response.body.isCut ? URLError(.networkConnectionLost) : nil
    }

    /// Returns true if the body was lost after its first part. With this part, the client can request the rest as it did
    /// when it was recorded.
    private static func hasPart(_ entry: HARArchive.Entry) -> Bool {
        guard entry.response.status >= 200, !entry.isCancelled, !entry.response.body.isCut else { return false }
        return entry.response.body.content?.isEmpty == false
    }

    private static func body(of entry: HARArchive.Entry, _ question: HARMatcher.Question) throws -> Data? {
        let body = entry.response.body
        guard !body.isCut || entry.isEventStream else {
            throw HARReplay.UnusableEntry(
                entry, question,
                "the recording contains only a part of the body. Record it with a higher limit for bodies.")
        }
        return body.isEmpty ? Data() : body.content
    }

    /// Returns the fields by name. Fields that describe another body than the recorded one are left out.
    private static func headers(_ fields: [HARArchive.Header], bodySize: Int?) -> [String: String] {
        var names: [String: String] = [:]
        var result: [String: String] = [:]
        for field in fields where !field.name.hasPrefix(":") {
            let lower = field.name.lowercased()
            if lower == "content-length", let bodySize, Int(field.value) != bodySize { continue }
            let name = names[lower] ?? field.name
            names[lower] = name
            if let former = result[name] {
                if lower != "set-cookie" { result[name] = "\(former), \(field.value)" }
            } else {
                result[name] = field.value
            }
        }
        return result
    }
}

extension HARReplay.UnusableEntry {
    /// The URL is that of the recording, which contains no secrets if it was redacted.
    fileprivate init(_ entry: HARArchive.Entry, _ question: HARMatcher.Question, _ reason: String) {
        self.init(method: question.method, url: PreparedText.url(entry.request.url), reason: reason)
    }
}
