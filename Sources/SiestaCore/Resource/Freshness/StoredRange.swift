import Foundation
import HTTPRules

/// A part of stored content, as the response to a request with a `Range` field (RFC 9110 §14). Pure.
struct StoredRange {
    private let range: Range<Int>
    private let total: Int

    /// Creates the part that a field names; nil if it names no single part of content with `total` bytes.
    ///
    /// Several ranges, other units, and ranges outside the content are left to the server.
    init?(_ field: String, of total: Int) {
        let field = field.trimmingCharacters(in: .whitespaces).lowercased()
        guard field.hasPrefix("bytes=") else { return nil }
        let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Self.number(parts[0]), let last = Self.number(parts[1]) else { return nil }
        switch (first, last) {
        case (let first?, let last?):
            guard first <= last, first < total else { return nil }
            range = first..<min(last, total - 1) + 1
        case (let first?, nil):
            guard first < total else { return nil }
            range = first..<total
        case (nil, let length?):
            guard length > 0, total > 0 else { return nil }
            range = max(0, total - length)..<total
        case (nil, nil): return nil
        }
        self.total = total
    }

    /// Returns an inner nil for no digits; nil if the text is not a number.
    private static func number(_ text: Substring) -> Int?? {
        let digits = text.trimmingCharacters(in: .whitespaces)
        guard !digits.isEmpty else { return .some(nil) }
        guard digits.utf8.count <= 18, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits).map { .some($0) }
    }

    /// Returns the response with this part of `data`.
    func response(_ entity: Entity<Any>, _ data: Data) -> Entity<Any> {
        var part = entity
        part.content = data.subdata(in: data.startIndex + range.lowerBound..<data.startIndex + range.upperBound)
        part.setOrigin(status: 206, entity.cachingInfo)
        part.headerFields = entity.headerFields.setting([
            "content-range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)",
            "content-length": String(range.count),
        ])
        return part
    }
}

extension Resource {
    /// The conditions of a request besides `If-Range` (RFC 9110 §13.1).
    private static let conditions = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"]

    /// True if the request asks for a part of this resource, which stored data may answer.
    func mayHaveRange(for request: PreparedRequest) -> Bool {
        guard request.resolved.httpFreshness != nil, request.method == "GET", request.url == url, !isPeculiar else {
            return false
        }
        return request.headers.contains { $0.key.caseInsensitiveCompare("Range") == .orderedSame }
    }

    /// Returns the response to a GET request with a `Range` if the data is fresh and complete, and its content is bytes.
    /// Nil if the server must be asked.
    ///
    /// `If-Range` must name the strong `ETag` of the data (RFC 9110 §13.1.5). The server evaluates other conditions.
    func storedRange(for request: PreparedRequest) -> Entity<Any>? {
        guard let http = resolvedConfiguration(for: .get).httpFreshness else { return nil }
        let headers = HeaderFields(sentHeaders(request.headers))
        guard Self.conditions.allSatisfy({ headers[$0] == nil }), let field = headers["range"],
            let data = state.serverData, data.statusCode == 200, data.cachingInfo?.variant?.selects(headers) ?? true,
            let bytes = data.content as? Data, isAsReceived(data), let part = StoredRange(field, of: bytes.count),
            state.error == nil, verdict(http, RequestDirectives(headers)) == .fresh
        else { return nil }
        if let condition = headers["if-range"] {
            guard data.etag?.hasSameBytes(as: condition) == true, Validator.isStrong(condition) else { return nil }
        }
        return part.response(withAge(data), bytes)
    }

    /// True if the content has the bytes that the server numbers: neither the pipeline nor a content coding changes them.
    private func isAsReceived(_ data: Entity<Any>) -> Bool {
        let processing = resolvedConfiguration(for: .get).processing
        return data.headerFields["content-encoding"] == nil && processing.keepsHeaders
            && processing.ignores(.success(data), contentType: nil)
    }
}
