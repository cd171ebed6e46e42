/// A recording of HTTP exchanges, in the format HAR 1.2.
///
/// A ``HARRecorder`` makes archives, and a ``HARReplay`` answers requests from them. The developer tools of browsers,
/// and many other tools, read and write the same format. The archive contains only the parts of the format that
/// describe requests and responses: pages and caches of a browser are ignored.
///
/// As `Codable`, an archive is the whole content of a HAR file.
package struct HARArchive: Sendable, Equatable {
    /// The name of the program that made the recording.
    package var creator: String

    /// The version of this program.
    package var creatorVersion: String

    /// A note about the whole recording, for example on entries that are missing; nil if there is none.
    package var comment: String?

    /// The exchanges, in the order in which their requests started.
    package var entries: [Entry]

    /// Creates an archive.
    package init(
        entries: [Entry] = [], comment: String? = nil, creator: String = "Siesta", creatorVersion: String = "2"
    ) {
        (self.entries, self.comment, self.creator, self.creatorVersion) = (entries, comment, creator, creatorVersion)
    }

    /// A header field.
    package struct Header: Sendable, Equatable, Codable {
        /// The name, in its original case.
        package var name: String
        /// The value.
        package var value: String

        /// Creates a header field.
        package init(name: String, value: String) {
            (self.name, self.value) = (name, value)
        }
    }
}

extension HARArchive: Codable {
    private struct File: Codable {
        struct Creator: Codable {
            var name: String
            var version: String?
        }

        struct Log: Codable {
            var version: String?
            var creator: Creator?
            var entries: [Entry]
            var comment: String?
        }

        var log: Log
    }

    /// Reads an archive. Parts of the format that an archive does not contain may be missing in the file.
    ///
    /// - Throws: A `DecodingError` if a part does not have the type that the format requires, or if an entry has no
    ///   URL, method or status.
    package init(from decoder: any Decoder) throws {
        let log = try File(from: decoder).log
        self.init(
            entries: log.entries, comment: log.comment, creator: log.creator?.name ?? "unknown",
            creatorVersion: log.creator?.version ?? "unknown")
    }

    /// Writes the archive with all fields that HAR 1.2 requires.
    package func encode(to encoder: any Encoder) throws {
        let creator = File.Creator(name: creator, version: creatorVersion)
        let log = File.Log(version: "1.2", creator: creator, entries: entries, comment: comment)
        try File(log: log).encode(to: encoder)
    }
}
