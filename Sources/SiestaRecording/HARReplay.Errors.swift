import Foundation
import HTTPRules
import SiestaCore

extension HARReplay {
    /// The error of a request that the recording does not contain, or does not contain at this position.
    package struct NotRecorded: LocalizedError, CustomStringConvertible {
        /// The method of the request.
        package let method: String

        /// The URL of the request, redacted.
        package let url: String

        /// The reason, as a sentence; nil if no entry has this method and URL.
        package let reason: String?

        /// The methods and URLs of the most similar entries, the most similar first. There are at most five.
        package let nearest: [String]

        /// A description that names the request, the reason and the most similar entries.
        package var errorDescription: String? { description }

        /// The same text as ``errorDescription``.
        package var description: String {
            let parts = [method + " " + url + " is not in the recording."] + (reason.map { [$0] } ?? [])
            let entries =
                nearest.isEmpty
                ? "The recording has no entries." : "The nearest entries: \(nearest.joined(separator: ", "))."
            let remedy = "Record the session again, or change the request."
            return PlainText.line((parts + [entries, remedy]).joined(separator: " "), limit: 4000)
        }
    }

    /// The error of an entry from which no response can be made.
    package struct UnusableEntry: LocalizedError, CustomStringConvertible {
        /// The method of the request.
        package let method: String

        /// The URL of the request, redacted.
        package let url: String

        /// The reason, as a sentence.
        package let reason: String

        /// A description that names the request and the reason.
        package var errorDescription: String? { description }

        /// The same text as ``errorDescription``.
        package var description: String {
            PlainText.line("The recording cannot answer \(method) \(PreparedText.url(url)): \(reason)", limit: 4000)
        }
    }
}
