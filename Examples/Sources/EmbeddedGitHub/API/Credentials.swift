import Foundation

/// Who a request says it comes from.
enum Credentials: Sendable, Equatable {
    /// It does not say.
    case anonymous

    /// From the demo user.
    case demoUser

    /// From nobody known.
    case wrong

    /// Reads `Authorization`: `token X`, `Bearer X`, or `Basic` with the token as either half; schemes in any case.
    init(authorization: String?, token: String) {
        guard let authorization else {
            self = .anonymous
            return
        }
        let words = authorization.split(separator: " ").map(String.init)
        let isKnown = words.count == 2 && Self.secrets(scheme: words[0].lowercased(), words[1]).contains(token)
        self = isKnown ? .demoUser : .wrong
    }

    private static func secrets(scheme: String, _ text: String) -> [String] {
        switch scheme {
        case "token", "bearer": return [text]
        case "basic":
            guard let data = Data(base64Encoded: text) else { return [] }
            return String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
        default: return []
        }
    }
}
