#if os(Linux)
import Foundation

/// What this process has used so far.
struct ProcessUsage {
    /// Nanoseconds of the monotonic clock.
    let time = DispatchTime.now().uptimeNanoseconds
    /// Nanoseconds of processor time of all threads.
    let processor: Double
    /// Bytes in main memory.
    let resident: Double

    init() {
        var used = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
        processor = Double(used.tv_sec) * 1e9 + Double(used.tv_nsec)
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        resident = pages.flatMap { Double($0[1]) }.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
    }
}
#endif
