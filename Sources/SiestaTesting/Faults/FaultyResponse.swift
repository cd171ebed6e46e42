import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response and its body, and the ways to damage them. Pure.
struct FaultyResponse {
    let response: HTTPURLResponse?
    let body: Data?

    /// Returns the response with the first part of its body, and without `Content-Length`.
    func cut(to fraction: Double) -> FaultyResponse {
        let body = body ?? Data()
        let kept = min(Int(Double(body.count) * fraction), max(0, body.count - 1))
        return FaultyResponse(response: settingLength(nil), body: Data(body.prefix(kept)))
    }

    /// Returns the response with a body that is longer or shorter than its `Content-Length`. Added bytes are question
    /// marks.
    func changingLength(by difference: Int) -> FaultyResponse {
        let body = body ?? Data()
        let changed =
            difference > 0 ? body + Data(repeating: UInt8(ascii: "?"), count: difference) : body.dropLast(-difference)
        return FaultyResponse(response: settingLength(body.count), body: Data(changed))
    }

    /// Returns the response with another `Content-Length`, or without it.
    func settingLength(_ length: Int?) -> HTTPURLResponse? {
        guard let response, let url = response.url else { return response }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, name.lowercased() != "content-length" else { continue }
            fields[name] = value as? String
        }
        fields["Content-Length"] = length.map(String.init)
        return HTTPURLResponse(
            url: url, statusCode: response.statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    /// Returns the response of a server or gateway with a failure.
    static func serverError(_ status: Int, retryAfter: Int?, url: URL?) -> FaultyResponse {
        let body = Data("status \(status) of a FaultyNetwork".utf8)
        var fields = ["Content-Type": "text/plain; charset=utf-8", "Content-Length": String(body.count)]
        fields["Retry-After"] = retryAfter.map(String.init)
        let response = url.flatMap {
            HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        }
        return FaultyResponse(response: response, body: body)
    }
}
