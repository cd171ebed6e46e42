#if GTK
import CGTK
import Foundation
import Synchronization

/// A Swift object that counts how many of its kind exist.
final class Probe: Sendable {
    private static let count = Atomic(0)
    static var live: Int { count.load(ordering: .relaxed) }

    init() { Self.count.add(1, ordering: .relaxed) }
    deinit { Self.count.subtract(1, ordering: .relaxed) }
}

/// The memory of the C heap in use, and the processor time of the process.
enum Usage {
    static var heap: Int { cgtk_heap_in_use() }

    static var processorMicroseconds: Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + usage.ru_utime.tv_usec
            + usage.ru_stime.tv_usec
    }
}
#endif
