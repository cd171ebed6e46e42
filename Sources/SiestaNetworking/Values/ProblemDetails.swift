import Foundation
import HTTPRules
import JSONCoding

/// Reads the error message that a server sends as problem details (RFC 9457 §3.1).
package enum ProblemDetails {
    /// The maximum size of a body that is searched for a message, in bytes.
    static let sizeLimit = 1 << 16

    /// Returns true if entities of this content type are problem details.
    package static func isContentType(_ contentType: String) -> Bool {
        MediaType.essence(of: contentType) == "application/problem+json"
    }

    /// Returns the `detail` of an `application/problem+json` entity, raw or parsed. If there is no `detail`, returns
    /// its `title`. Returns nil if both are missing or blank, or if a raw body is larger than ``sizeLimit``.
    static func message(in entity: Entity<Any>) -> String? {
        guard isContentType(entity.contentType), let members = members(of: entity.content) else { return nil }
        return [members["detail"], members["title"]].lazy
            .compactMap { $0 as? String }
            .map { PreparedText.words($0) }
            .first { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func members(of content: Any) -> [String: Any]? {
        guard let body = content as? Data else { return content as? [String: Any] }
        guard body.count <= sizeLimit else { return nil }
        return (try? JSONCoding.object(with: body, allowingFragments: false)) as? [String: Any]
    }
}
