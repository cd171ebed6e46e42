import Foundation

/// Finds accounts by the text of `q`.
///
/// Every word must be part of the login or the name, without regard to case and accents. `type:user` and `type:org`
/// choose a kind; other qualifiers are ignored.
struct UserSearch: Sendable {
    private let words: [String]
    private let kind: Account.Kind?

    /// Nil if there is nothing to search for.
    init?(_ text: String?) {
        let parts = (text ?? "").split(whereSeparator: \.isWhitespace).map { Self.folded(String($0)) }
        guard !parts.isEmpty else { return nil }
        words = parts.filter { !$0.contains(":") }
        kind = parts.contains("type:org") ? .organisation : parts.contains("type:user") ? .user : nil
    }

    /// The matches, best first: those that begin with the first word, then by followers, then by login.
    func matches(in accounts: [Account]) -> [Account] {
        let found = accounts.filter { (kind == nil || $0.kind == kind) && matches($0) }
        let ranked = found.map { (isPrefix: isPrefixed($0), account: $0) }
        return ranked.sorted { left, right in
            if left.isPrefix != right.isPrefix { return left.isPrefix }
            if left.account.followers != right.account.followers {
                return left.account.followers > right.account.followers
            }
            return left.account.login < right.account.login
        }.map(\.account)
    }

    private func matches(_ account: Account) -> Bool {
        let texts = Self.texts(account)
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }

    private func isPrefixed(_ account: Account) -> Bool {
        guard let first = words.first else { return false }
        return Self.texts(account).contains { $0.hasPrefix(first) }
    }

    private static func texts(_ account: Account) -> [String] {
        [folded(account.login), folded(account.name ?? "")]
    }

    private static func folded(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 128 }) else { return text.lowercased() }  // 20 times as fast.
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
