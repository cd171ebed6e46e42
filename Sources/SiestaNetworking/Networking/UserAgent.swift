import Foundation
import HTTPRules

/// The `User-Agent` of ``DefaultNetworking``.
enum UserAgent: Sendable {
    /// The name of the process and the version of the library.
    case standard
    /// A value of the app; nil for no header.
    case chosen(String?)

    /// The value of the header; nil for no header.
    var value: String? {
        switch self {
        case .standard: Self.standardValue
        case .chosen(let value): value
        }
    }

    private static let standardValue = of(process: ProcessInfo.processInfo.processName)

    /// Returns the standard value for a process. All characters that cannot be part of a token are replaced.
    static func of(process: String) -> String {
        let name = process.utf8.prefix(nameLimit).map { $0.isTokenCharacter ? $0 : UInt8(ascii: "-") }
        let library = "Siesta/2.0"
        return name.isEmpty ? library : String(decoding: name, as: UTF8.self) + " " + library
    }

    /// The maximum length of the name of a process, in bytes.
    private static let nameLimit = 64
}
