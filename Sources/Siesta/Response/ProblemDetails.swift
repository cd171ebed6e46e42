import Foundation

/// Reads the message that a server sends with an error as problem details (RFC 9457 §3.1).
enum ProblemDetails {
    /// The `detail`, else the `title`, of an `application/problem+json` entity, raw or parsed; nil without either.
    static func message(in entity: Entity<Any>) -> String? {
        guard MediaType.essence(of: entity.contentType) == "application/problem+json",
            let members = members(of: entity.content)
        else { return nil }
        return [members["detail"], members["title"]].lazy
            .compactMap { $0 as? String }
            .map { PreparedText.words($0) }
            .first { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func members(of content: Any) -> [String: Any]? {
        guard let body = content as? Data else { return content as? [String: Any] }
        return (try? JSONSerialization.jsonObject(with: body)) as? [String: Any]
    }
}
