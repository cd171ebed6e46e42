import Foundation
import Siesta

/// Compares the body of a new request with the recorded body of a request. Pure.
struct HARBodyComparison {
    private let recorded: HARArchive.Body?
    private let redactor: HARRedactor

    init(_ recorded: HARArchive.Body?, _ redactor: HARRedactor) {
        (self.recorded, self.redactor) = (recorded, redactor)
    }

    /// Returns true if the bodies are equal, as far as the recording shows. They may be equal before or after
    /// redaction.
    func isEqual(to body: Data, contentType: String) -> Bool {
        guard let recorded, !recorded.isEmpty || recorded.comment != nil else { return body.isEmpty }
        if let digest = recorded.digest {
            return SHA256.hexadecimal(of: [UInt8](redactor.body(body, contentType: contentType))) == digest
        }
        guard let content = recorded.content, !recorded.isCut else {
            return recorded.size == 0 || recorded.size == body.count
        }
        let body = renamingBoundary(of: body, contentType)
        if body == content { return true }
        let redacted = redactor.body(body, contentType: recorded.contentType)
        return redacted == content || Self.isSameJSON(redacted, content)
    }

    /// Encoders write the members of an object in any order.
    private static func isSameJSON(_ left: Data, _ right: Data) -> Bool {
        guard let left = try? JSONValue(parsing: left), let right = try? JSONValue(parsing: right) else { return false }
        return left == right
    }

    /// Returns the body with the boundary of the recorded body: boundaries are random.
    private func renamingBoundary(of body: Data, _ contentType: String) -> Data {
        guard let recorded, let old = MultipartText.boundary(in: contentType),
            let new = MultipartText.boundary(in: recorded.contentType), old != new
        else { return body }
        var result = Data()
        var rest = body
        while let range = rest.range(of: Data("--\(old)".utf8)) {
            result += rest[..<range.lowerBound] + Data("--\(new)".utf8)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
