import Dispatch
import Foundation
import Isolation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A signal that memory is low. Services can react to the signal by dropping unused resources.
///
///     let pressure = try MemoryPressure.system()
///     service.flushUnusedResources(under: pressure)
///
/// On Apple platforms, every service reacts to the system's signal as soon as the service is created. On Linux, Siesta
/// watches the system's memory only after a call to ``system()``. An app that detects low memory in another way creates
/// a `MemoryPressure()` and calls ``report()``. Any thread may use this type.
public final class MemoryPressure: Sendable {
    /// The error that ``MemoryPressure/system()`` throws if the kernel's file is missing, or if this process has no
    /// access to the file.
    package struct Unavailable: LocalizedError {
        /// The error number of the call that failed.
        let code: Int32

        /// The file and the reason.
        package var errorDescription: String? {
            "Memory pressure cannot be watched: /proc/pressure/memory: \(String(cString: strerror(code)))"
        }
    }

    /// The signal to which a new service reacts without being asked: the system's signal on Apple platforms, and none on
    /// Linux. Tests set another signal for a scope.
    @TaskLocal package static var automatic: MemoryPressure? = ofPlatform

    #if os(Linux) || os(Android)
    private static let ofPlatform: MemoryPressure? = nil
    #else
    private static let ofPlatform = try? MemoryPressure.system()
    #endif

    private struct Listener: Sendable {
        weak let consumer: (any MemoryConsumer)?
    }

    private struct State: Sendable {
        var listeners: [Listener] = []
        /// The number of listeners at which those of released services are removed next.
        var sweepLimit = SweepLimit(minimum: 16)
    }

    private let state = Locked(State())

    /// Creates a signal that is sent only by calls to ``report()``.
    public init() {}

    /// Makes all services that react to this signal drop their unused resources in the next turn of the main queue.
    public func report() {
        for consumer in state.withLock({ $0.listeners.compactMap(\.consumer) }) {
            MainQueue.async { [weak consumer] in consumer?.releaseMemory() }
        }
    }

    /// The number of listeners, including those of services that were released recently.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    package func add(_ consumer: any MemoryConsumer) {
        let listener = Listener(consumer: consumer)
        // The lock returns the objects that it found, so that it releases none of them.
        _ = state.withLock { state -> [any MemoryConsumer] in
            state.listeners.append(listener)
            guard state.sweepLimit.isReached(by: state.listeners.count) else { return [] }
            let consumers = state.listeners.compactMap(\.consumer)
            state.listeners = consumers.map { Listener(consumer: $0) }
            state.sweepLimit.noteSweep(leaving: consumers.count)
            return consumers
        }
    }

    /// Returns a signal that is sent when the operating system reports low memory. From this call on, the library
    /// watches the memory until the process ends.
    ///
    /// On Apple platforms, the signal is the system's memory pressure warning. On Linux, the signal comes from the
    /// kernel's pressure stall information (`/proc/pressure/memory`, since Linux 5.2). The signal is sent after
    /// processes of the machine or container have waited for memory for more than 0.15 seconds within 2 seconds. To
    /// receive the kernel's reports, the library starts a thread.
    ///
    /// - Throws: An error that names the reason, if the Linux kernel does not offer this information to this process.
    public static func system() throws -> MemoryPressure {
        let pressure = MemoryPressure()
        #if os(Linux) || os(Android)
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

#if os(Linux) || os(Android)
/// An open request to the kernel to report tasks that wait for memory.
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

    /// Sleeps until the next report. Returns false if no further report can come.
    func wait() -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
        return uninterrupted { poll(&watched, 1, -1) } >= 0 && watched.revents & Int16(POLLERR) == 0
    }
}
#endif

/// An object that releases memory when memory is low.
package protocol MemoryConsumer: AnyObject, Sendable {
    @MainActor func releaseMemory()
}

extension Service: MemoryConsumer {
    package func releaseMemory() {
        flushUnusedResources()
    }
}

extension Service {
    /// Starts reacting to `pressure`: whenever it signals that memory is low, the service drops all unused resources.
    public final func flushUnusedResources(under pressure: MemoryPressure) {
        pressure.add(self)
    }
}
