import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread whose end another thread can wait for, including the release of its resources. `Foundation.Thread` does not
/// support this.
package struct JoinableThread: @unchecked Sendable {  // sound: a thread's handle may be used from any other thread
    private let handle: pthread_t

    /// Starts a thread that runs `body` and ends. Call ``join()`` exactly once.
    package init(_ body: @escaping @Sendable () -> Void) {
        let argument = Unmanaged.passRetained(Body(run: body)).toOpaque()
        #if canImport(Darwin)
        var handle: pthread_t?
        let result = pthread_create(&handle, nil, { JoinableThread.run($0) }, argument)
        guard result == 0, let handle else { preconditionFailure("No more threads: \(result)") }
        #else
        var handle = pthread_t()
        let result = pthread_create(&handle, nil, { JoinableThread.run($0) }, argument)
        guard result == 0 else { preconditionFailure("No more threads: \(result)") }
        #endif
        self.handle = handle
    }

    /// Waits until the thread has ended and its resources are freed.
    package func join() {
        pthread_join(handle, nil)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let argument {
            Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
    }
}
