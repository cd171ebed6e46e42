import Foundation

extension PartialFile {
    /// Where the parts of one file are: hidden files in the same folder, under names that a later process finds again.
    struct Names: Sendable {
        /// The bytes that were received.
        let part: URL
        /// What they are a part of.
        let record: URL

        init(_ target: URL) {
            let folder = target.deletingLastPathComponent()
            let name = ".\(Self.shortened(target.lastPathComponent)).part"
            part = folder.appendingPathComponent(name)
            record = folder.appendingPathComponent(name + ".json")
        }

        /// A name that leaves room for the rest: file systems allow 255 bytes. What is cut off counts by a hash
        /// (FNV-1a).
        private static func shortened(_ name: String) -> String {
            guard name.utf8.count > 200 else { return name }
            let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            var start = name.prefix(180)
            while start.utf8.count > 180 { start.removeLast() }
            return start + String(hash, radix: 16)
        }

        /// Opens the part, locked against others, or creates it; returns its descriptor and its size.
        func openPart(for target: URL) throws(RequestError.Cause.FileFailure) -> (descriptor: Int32, size: Int64) {
            while true {
                let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
                let descriptor = Foundation.open(part.path, flags, 0o666)
                guard descriptor >= 0 else { throw .init(file: target, code: POSIXError.last.code) }
                var (opened, named) = (stat(), stat())
                guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0 else {
                    let code = POSIXError.last.code
                    Foundation.close(descriptor)
                    throw .init(file: target, code: code)
                }
                guard opened.st_mode & S_IFMT == S_IFREG else {
                    Foundation.close(descriptor)
                    throw .init(file: target, code: .EINVAL)
                }
                // Whoever had it before may have completed or removed it between our opening and our locking it.
                if stat(part.path, &named) == 0, named.st_ino == opened.st_ino, named.st_dev == opened.st_dev {
                    return (descriptor, Int64(opened.st_size))
                }
                Foundation.close(descriptor)
            }
        }
    }
}
