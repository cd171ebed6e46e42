public import Foundation
import HTTPRules
import SiestaCore

extension HARReplay {
    /// The error of a request that the recording does not contain, or does not contain at this position.
    public struct NotRecorded: LocalizedError, CustomStringConvertible {
        /// The method of the request.
        public let method: String

        /// The URL of the request, redacted.
        public let url: String

        /// The reason, as a sentence; nil if no entry has this method and URL.
        public let reason: String?

        /// The methods and URLs of the most similar entries, the most similar first. There are at most five.
        public let nearest: [String]

        /// A description that names the request, the reason and the most similar entries.
        public var errorDescription: String? { description }

        /// The same text as ``errorDescription``.
        public var description: String {
            let parts = [method + " " + url + " is not in the recording."] + (reason.map { [$0] } ?? [])
            let entries =
                nearest.isEmpty
                ? "The recording has no entries." : "The nearest entries: \(nearest.joined(separator: ", "))."
            let remedy = "Record the session again, or change the request."
            return PlainText.line((parts + [entries, remedy]).joined(separator: " "), limit: 4000)
        }
    }

    /// The error of an entry from which no response can be made.
    public struct UnusableEntry: LocalizedError, CustomStringConvertible {
        /// The method of the request.
        public let method: String

        /// The URL of the request, redacted.
        public let url: String

        /// The reason, as a sentence.
        public let reason: String

        /// A description that names the request and the reason.
        public var errorDescription: String? { description }

        /// The same text as ``errorDescription``.
        public var description: String {
            PlainText.line("The recording cannot answer \(method) \(PreparedText.url(url)): \(reason)", limit: 4000)
        }
    }
}
