import Foundation
import SiestaCore

extension PartialFile {
    /// The names of a file and of its parts. The parts are hidden files in the same folder. A later process can compute
    /// their names again.
    struct Names: Sendable {
        /// The folder of the file and its parts.
        let folder: String
        /// The name of the complete file.
        let target: String
        /// The name of the file with the received bytes.
        let part: String
        /// The name of the file that identifies the version of the received bytes.
        let record: String
        /// The name of an empty file that is removed at once. Only the process that has locked the part uses it.
        var trial: String { part + ".new" }

        init(_ target: URL) {
            folder = target.deletingLastPathComponent().path
            self.target = target.lastPathComponent
            part = ".\(Self.shortened(self.target)).part"
            record = part + ".json"
        }

        /// Returns a name that leaves room for additions, because file systems allow at most 255 bytes. A digest
        /// replaces the end of a long name.
        private static func shortened(_ name: String) -> String {
            guard name.utf8.count > 200 else { return name }
            var start = name.prefix(160)
            while start.utf8.count > 160 { start.removeLast() }
            return String(start) + SHA256.hexadecimal(of: name).prefix(32)
        }
    }
}
