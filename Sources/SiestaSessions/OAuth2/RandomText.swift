import Foundation
import SiestaCore

/// Texts that nobody can guess, for one authorization (RFC 7636 §4).
enum RandomText {
    /// Returns 32 random bytes from the system's generator, as 43 characters.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return base64URL((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Returns the code challenge for a verifier: the SHA-256 of its characters (RFC 7636 §4.2, method S256).
    static func challenge(for verifier: String) -> String { base64URL(SHA256.digest(of: Array(verifier.utf8))) }

    /// Encodes bytes with the alphabet for URLs and without padding (RFC 4648 §5).
    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
