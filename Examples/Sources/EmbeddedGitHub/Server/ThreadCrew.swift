import Dispatch
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A limited number of threads with small stacks, which can be waited for.
final class ThreadCrew: Sendable {
    private let limit: Int
    private let count = Guarded(0)
    private let group = DispatchGroup()

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs work on a thread of its own.
    ///
    /// False, without running it, if the crew is full or the system has no thread left.
    func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard enter() else { return false }
        let job = Job {
            work()
            self.leave()
        }
        guard job.run() else {
            leave()
            return false
        }
        return true
    }

    /// Returns when no work is left. Called on a thread of the crew it would never return.
    func join() {
        group.wait()
    }

    private func enter() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            group.enter()
            return true
        }
    }

    private func leave() {
        count.withLock { $0 -= 1 }
        group.leave()
    }
}

/// What one thread does, in a form that C can carry.
private final class Job: Sendable {
    private static let stackSize = 512 * 1024

    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    /// Starts a detached thread; false if there is none to be had.
    func run() -> Bool {
        let parcel = Unmanaged.passRetained(self)
        let isRunning = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
            guard let attributes = attributes.baseAddress, pthread_attr_init(attributes) == 0 else { return false }
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setstacksize(attributes, Self.stackSize)
            pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            return Self.create(attributes, parcel.toOpaque()) == 0
        }
        if !isRunning { parcel.release() }
        return isRunning
    }

    private static func perform(_ parcel: UnsafeMutableRawPointer) {
        Thread.current.name = "embedded-github"
        Unmanaged<Job>.fromOpaque(parcel).takeRetainedValue().work()
    }

    #if canImport(Darwin)
    private static func create(
        _ attributes: UnsafePointer<pthread_attr_t>, _ parcel: UnsafeMutableRawPointer
    ) -> Int32 {
        var thread: pthread_t?
        let perform: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
            Job.perform($0)
            return nil
        }
        return pthread_create(&thread, attributes, perform, parcel)
    }
    #else
    private static func create(
        _ attributes: UnsafePointer<pthread_attr_t>, _ parcel: UnsafeMutableRawPointer
    ) -> Int32 {
        var thread = pthread_t()
        let perform: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            if let parcel = $0 { Job.perform(parcel) }
            return nil
        }
        return pthread_create(&thread, attributes, perform, parcel)
    }
    #endif
}
