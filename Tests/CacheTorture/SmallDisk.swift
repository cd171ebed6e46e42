#if os(Linux)
import Foundation
import Waiting

/// A file system of 512 KiB in memory.
public final class SmallDisk: Sendable {
    /// The folder at which the file system is mounted.
    public let folder: TestFolder

    /// The error if mounting is not permitted.
    public struct Refusal: Error {}

    /// True if mounting is permitted.
    public static let isPossible = (try? SmallDisk()) != nil

    /// Mounts an empty file system.
    public init() throws {
        folder = try TestFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=512k,mode=700") == 0 else { throw Refusal() }
    }

    deinit { umount2(folder.path, CInt(MNT_DETACH)) }

    /// Writes a file until there is no space left.
    public func fill() {
        let file = open("\(folder.path)/filler", O_CREAT | O_WRONLY, 0o600)
        let piece = [UInt8](repeating: 0, count: 4096)
        while write(file, piece, piece.count) > 0 {}
        close(file)
    }

    /// Makes the file system read-only. Polls until files that are open for writing are closed, because the kernel only
    /// refuses.
    public func makeReadOnly() async throws {
        try await Poll.until {
            if mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 { return true }
            guard errno == EBUSY else { throw Refusal() }
            return false
        }
    }
}
#endif
