import Foundation

/// The case of the letters in the phrase for an HTTP status. Pure.
enum StatusPhrase {
    /// Returns the phrase with its first letter in upper case, and all other letters in lower case except in acronyms.
    ///
    /// Foundation has the phrases in title case on Linux, and in lower case on Apple platforms.
    static func sentence(_ phrase: String) -> String {
        let words = phrase.split(separator: " ", omittingEmptySubsequences: false).map {
            isAcronym($0) ? String($0) : $0.lowercased()
        }
        let text = words.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Returns true for a word such as HTTP or URI: at least two letters, none of them in lower case.
    private static func isAcronym(_ word: Substring) -> Bool {
        word.count { $0.isLetter } > 1 && !word.contains { $0.isLowercase }
    }
}
