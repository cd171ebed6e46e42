#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// The unusual responses that a request has asked for.
package struct RequestedForms: Sendable {
    /// True if a part of the content may be the response (RFC 9110 §14.2).
    let includesParts: Bool
    /// True if a difference from other content may be the response (RFC 3229).
    let includesDifferences: Bool
    /// True if the server may switch to another protocol (RFC 9110 §7.8).
    let includesProtocols: Bool

    package init(_ request: URLRequest) {
        includesParts = request.value(forHTTPHeaderField: "Range") != nil
        includesDifferences = request.value(forHTTPHeaderField: "A-IM") != nil
        includesProtocols = request.value(forHTTPHeaderField: "Upgrade") != nil
    }
}

extension NetworkResponse.Head {
    /// Returns the error if the response has a form that the request did not ask for; nil otherwise.
    ///
    /// - Parameter forms: the forms that the request asked for. Computed only for a response with one of them.
    package func refusal(
        unlessAmong forms: @autoclosure () -> RequestedForms
    ) -> RequestError.Failure? {
        let isRequested: Bool? =
            switch status {
            case 101: forms().includesProtocols
            case 100..<200: false
            case 206: fields.isRangeOfBytes ?? true ? forms().includesParts : nil
            case 226: forms().includesDifferences
            case ..<300: fields.isRangeOfBytes ?? false ? forms().includesParts : nil
            default: nil
            }
        return isRequested ?? true ? nil : RequestError.Failure.unrequestedResponse(status)
    }
}

extension HeaderFields {
    /// True if there is a `Content-Range` in bytes (RFC 9110 §14.4); nil without a `Content-Range`.
    ///
    /// A range in another unit, such as the items of a list, belongs to content of its own: many servers of lists
    /// send it although no part was requested.
    package var isRangeOfBytes: Bool? {
        guard contains("content-range") else { return nil }
        // Whatever follows the unit: a part that is badly described is a part.
        return self["content-range"]?.prefix { $0.isLetter }.lowercased() == "bytes"
    }
}

extension NetworkResponse {
    /// Returns the response as a failure if it has a form that the request did not ask for; nil otherwise.
    package func refused(unlessAmong forms: @autoclosure () -> RequestedForms) -> NetworkResponse? {
        guard error == nil, let refusal = head?.refusal(unlessAmong: forms()) else { return nil }
        return NetworkResponse(head: head, body: body, error: refusal)
    }
}
