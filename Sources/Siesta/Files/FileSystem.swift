import Foundation

/// Calls about time and file systems as a whole.
enum FileSystem {
    /// Wall time in nanoseconds since 1970.
    static var time: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether a time cannot be later than `now` for any other reason than that the clock was set back.
    static func isInFuture(_ time: Int64, now: Int64) -> Bool { time > now + 1_000_000_000 }

    /// Writes all of the file system to the disk that has `folder`, which takes less time than many files one by one;
    /// tells whether it could.
    static func synchronizeAll(at folder: Folder) -> Bool {
        #if os(Linux)
        // The C library declares `syncfs` for those alone who ask for more than POSIX, which Swift does not.
        typealias Synchronize = @convention(c) (CInt) -> CInt
        guard let symbol = dlsym(nil, "syncfs") else { return false }
        return unsafeBitCast(symbol, to: Synchronize.self)(folder.number) == 0
        #else
        return false
        #endif
    }
}
