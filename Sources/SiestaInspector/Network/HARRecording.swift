import Foundation
import HTTPRules
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Exchanges in the format HAR 1.2, without secrets. Pure.
///
/// Secret header fields are redacted, and so are the values of query items. Of the bodies, only JSON is recorded, with
/// the members redacted whose names indicate a secret.
struct HARRecording: Sendable {
    /// The maximum number of exchanges, and the maximum size of all of them in bytes. Later exchanges are not recorded.
    static let (countLimit, byteLimit) = (2000, 32 << 20)

    private var entries: [[UInt8]] = []
    private var byteCount = 0

    var count: Int { entries.count }

    /// The parts of a request that are recorded.
    struct Start: Sendable {
        let method: String
        let url: String
        let headers: [String: String]
        let body: Data?
        let date: Date

        init(_ request: URLRequest, at date: Date) {
            method = PreparedText.line(request.httpMethod ?? "GET", limit: 20)
            url = HARRecording.url(request.url?.absoluteString ?? "")
            (headers, body, self.date) = (request.allHTTPHeaderFields ?? [:], request.httpBody, date)
        }
    }

    mutating func append(_ start: Start, _ end: ExchangeEnd, endingAt date: Date) {
        guard entries.count < Self.countLimit, byteCount < Self.byteLimit else { return }
        var json = JSONText()
        Self.write(start, end, max(0, date.timeIntervalSince(start.date)), to: &json)
        byteCount += json.bytes.count
        entries.append(json.bytes)
    }

    /// The file.
    var file: [UInt8] {
        var json = JSONText()
        json.object { json in
            json.name("log")
            json.object { json in
                json.member("version", "1.2")
                json.name("creator")
                json.object { json in
                    json.member("name", "SiestaInspector")
                    json.member("version", "1")
                }
                json.name("entries")
                json.array { json in for entry in entries { json.raw(entry) } }
            }
        }
        return json.bytes
    }

    /// Returns a URL without its secrets that is still a URL.
    private static func url(_ url: String) -> String {
        PreparedText.url(url).replacing(URLText.mark, with: "redacted")
    }

    // MARK: Entries

    private static func write(_ start: Start, _ end: ExchangeEnd, _ seconds: TimeInterval, to json: inout JSONText) {
        let version = end.metrics?.httpVersion.map { "HTTP/\($0)" } ?? "HTTP/1.1"
        json.object { json in
            json.member("startedDateTime", start.date.formatted(.iso8601.time(includingFractionalSeconds: true)))
            json.member("time", seconds * 1000)
            json.name("request")
            json.object { write(start, version, to: &$0) }
            json.name("response")
            json.object { write(end, version, to: &$0) }
            json.name("cache")
            json.object { _ in }
            json.name("timings")
            json.object { write(end.metrics, seconds, to: &$0) }
        }
    }

    private static func write(_ start: Start, _ version: String, to json: inout JSONText) {
        json.member("method", start.method)
        json.member("url", start.url)
        json.member("httpVersion", version)
        write(start.headers, to: &json)
        json.name("queryString")
        json.array { json in
            for item in URLComponents(string: start.url)?.queryItems ?? [] {
                write(item.name, item.value ?? "", to: &json)
            }
        }
        if let text = start.body.flatMap({ RedactedJSON.text(of: $0) }) {
            json.name("postData")
            json.object { json in
                json.member("mimeType", "application/json")
                json.member("text", text)
            }
        }
        json.member("headersSize", -1)
        json.member("bodySize", start.body?.count ?? 0)
    }

    private static func write(_ end: ExchangeEnd, _ version: String, to json: inout JSONText) {
        json.member("status", end.status ?? 0)
        json.member("statusText", "")
        json.member("httpVersion", version)
        write(end.fields, to: &json)
        json.name("content")
        json.object { json in
            let type = end.fields.first { $0.key.lowercased() == "content-type" }?.value
            json.member("size", end.body?.count ?? 0)
            json.member("mimeType", PreparedText.line(type ?? "", limit: 200))
            if let body = end.body, !body.isEmpty {
                let text = RedactedJSON.text(of: body)
                json.member("text", text)
                json.member("comment", text == nil ? "Not recorded: not JSON" : nil)
            }
        }
        json.member("redirectURL", "")
        json.member("headersSize", -1)
        json.member("bodySize", end.body?.count ?? 0)
        json.member("_error", end.error.map { PreparedText.error($0) })
    }

    private static func write(_ headers: [String: String], to json: inout JSONText) {
        json.name("cookies")
        json.array { _ in }
        json.name("headers")
        let secret = SiestaLog.allRedactedHeaders
        json.array { json in
            for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
                let isSecret = SecretHeaders.include(name, among: secret)
                write(name, isSecret ? SecretHeaders.mark : PreparedText.line(value), to: &json)
            }
        }
    }

    private static func write(_ name: String, _ value: String, to json: inout JSONText) {
        json.object { json in
            json.member("name", PreparedText.line(name, limit: 200))
            json.member("value", value)
        }
    }

    /// Writes the durations of the phases in milliseconds; -1 for a phase that did not happen or is unknown.
    private static func write(_ metrics: RequestMetrics?, _ seconds: TimeInterval, to json: inout JSONText) {
        let (lookup, connect) = (metrics?.nameLookup, metrics?.connect)
        let (secure, first) = (metrics?.secureConnect, metrics?.firstByte)
        func span(_ start: TimeInterval?, _ end: TimeInterval?) -> Double {
            guard let end else { return -1 }
            return max(0, end - (start ?? 0)) * 1000
        }
        let connected = secure ?? connect ?? lookup
        json.member("blocked", -1)
        json.member("dns", span(nil, lookup))
        json.member("connect", span(lookup, secure ?? connect))
        json.member("ssl", secure.map { span(connect, $0) } ?? -1)
        json.member("send", 0)
        json.member("wait", first.map { span(connected, $0) } ?? seconds * 1000)
        json.member("receive", first.map { span($0, metrics?.total) } ?? 0)
    }
}
