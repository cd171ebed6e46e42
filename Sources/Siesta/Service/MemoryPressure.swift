import Dispatch
public import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Says when memory runs low, so that services can drop what nobody uses.
///
///     let pressure = try MemoryPressure.system()
///     service.flushUnusedResources(under: pressure)
///
/// Nothing watches the system's memory unless it is asked to. An app that learns of low memory in another way makes a
/// `MemoryPressure()` of its own and calls ``report()``. All of it may be used from any thread.
public final class MemoryPressure: Sendable {
    /// The system cannot be asked: the file that the kernel offers for that is missing or closed to this process.
    public struct Unavailable: LocalizedError {
        /// The error number of the call that failed.
        public let code: Int32

        /// Names the file and the reason.
        public var errorDescription: String? {
            "Memory pressure cannot be watched: /proc/pressure/memory: \(String(cString: strerror(code)))"
        }
    }

    private let listeners = Locked<[@Sendable () -> Void]>([])

    /// Creates a signal that comes when ``report()`` is called.
    public init() {}

    /// Tells everybody who listens that memory is low.
    public func report() {
        for listener in listeners.withLock({ $0 }) { listener() }
    }

    func listen(_ listener: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    /// A signal that the system gives, for as long as the process runs.
    ///
    /// On Apple platforms these are the system's memory warnings. On Linux the kernel's pressure stall information is
    /// watched (`/proc/pressure/memory`, since Linux 5.2), on a thread that sleeps until some task of the machine or
    /// container has waited for memory for more than 0.15 of 2 seconds.
    ///
    /// - Throws: ``Unavailable`` if the kernel does not offer it to this process.
    public static func system() throws -> MemoryPressure {
        let pressure = MemoryPressure()
        #if os(Linux)
        let trigger = try PressureStallTrigger()
        let thread = Thread {
            while trigger.wait() { pressure.report() }
        }
        thread.name = "Siesta memory pressure"
        thread.stackSize = 256 << 10
        thread.start()
        #else
        let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global())
        source.setEventHandler {
            pressure.report()
            withExtendedLifetime(source) {}
        }
        source.resume()
        #endif
        return pressure
    }
}

#if os(Linux)
/// An open request to the kernel to report stalls for want of memory.
private struct PressureStallTrigger: Sendable {
    private let descriptor: CInt

    init() throws {
        descriptor = open("/proc/pressure/memory", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw MemoryPressure.Unavailable(code: errno) }
        let request = "some 150000 2000000"
        guard write(descriptor, request, request.utf8.count + 1) > 0 else {
            let code = errno
            close(descriptor)
            throw MemoryPressure.Unavailable(code: code)
        }
    }

    /// Sleeps until the next report; false if there will be none.
    func wait() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
        while Glibc.poll(&poll, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return poll.revents & Int16(POLLERR) == 0
    }
}
#endif

extension Service {
    /// Drops all resources that nobody uses whenever `pressure` is reported, as long as this service lives.
    public final func flushUnusedResources(under pressure: MemoryPressure) {
        pressure.listen { [weak self] in
            MainQueue.async { self?.flushUnusedResources() }
        }
    }
}
