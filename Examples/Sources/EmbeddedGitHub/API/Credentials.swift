import Foundation

/// Who a request says it comes from.
enum Credentials: Sendable, Equatable {
    /// It does not say.
    case anonymous

    /// From the user with this login.
    case user(String)

    /// From nobody known.
    case wrong

    /// Reads `Authorization`: `token X`, `Bearer X`, or `Basic` with the token as either half; schemes in any case.
    ///
    /// - Parameter login: Returns the login that a token belongs to; nil if the token is unknown or has expired.
    init(authorization: String?, login: (String) -> String?) {
        guard let authorization else {
            self = .anonymous
            return
        }
        let words = authorization.split(separator: " ").map(String.init)
        let secrets = words.count == 2 ? Self.secrets(scheme: words[0].lowercased(), words[1]) : []
        self = secrets.lazy.compactMap(login).first.map(Self.user) ?? .wrong
    }

    /// The login of the user; nil if the request comes from nobody known.
    var login: String? {
        if case .user(let login) = self { login } else { nil }
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
