import Foundation

#if os(Linux) || os(Android)
// One of these modules declares the members of C structures for the compiler, depending on what it has read before.
import CDispatch
import CoreFoundation
#endif

/// System calls about time and whole file systems.
package enum FileSystem {
    /// The wall time, in nanoseconds since 1970.
    package static var time: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Returns true if a time is later than `now` by more than a second. Then the clock must have been set back.
    package static func isInFuture(_ time: Int64, now: Int64) -> Bool { time > now + 1_000_000_000 }

    /// Writes the whole file system of `folder` to the disk. This is faster than writing many single files. Returns
    /// true on success.
    package static func synchronizeAll(at folder: Folder) -> Bool {
        #if os(Linux) || os(Android)
        // The C library declares `syncfs` only for programs that request extensions of POSIX. Swift does not request
        // them.
        typealias Synchronize = @convention(c) (CInt) -> CInt
        guard let symbol = dlsym(nil, "syncfs") else { return false }
        return unsafeBitCast(symbol, to: Synchronize.self)(folder.number) == 0
        #else
        return false
        #endif
    }
}
