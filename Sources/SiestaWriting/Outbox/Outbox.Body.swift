package import Foundation
import SiestaCore

extension Outbox {
    /// The body of an ``Outbox/StoredRequest``.
    package enum Body: Hashable, Sendable {
        /// No body.
        case none
        /// Bytes that are stored with the entry.
        case bytes(Data)
        /// A file in the outbox's own folder, with its length in bytes. The outbox removes the file with the entry.
        case kept(name: String, length: Int64)
        /// A file that the app keeps: its path, its length in bytes and its modification time, in nanoseconds since
        /// 1970.
        case referenced(path: String, length: Int64, modified: Int64)

        /// Returns a file that the app keeps as a body, with its present length and time.
        static func referenced(_ file: URL) throws(RequestError.Failure) -> Self {
            let opened = try BodyFile(file)
            return .referenced(path: file.path, length: opened.length, modified: opened.modified)
        }

        /// The number of bytes that the outbox keeps.
        var keptSize: Int {
            switch self {
            case .none, .referenced: 0
            case .bytes(let data): data.count
            case .kept(_, let length): Int(clamping: max(0, length))
            }
        }

        /// The name of the file in the outbox's folder; nil for other bodies.
        package var keptName: String? {
            if case .kept(let name, _) = self { name } else { nil }
        }
    }
}
