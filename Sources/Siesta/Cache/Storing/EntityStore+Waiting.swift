import Dispatch
public import Foundation

extension EntityStore {
    /// Asks ``read(_:)`` on a thread that serves this call alone, and waits for it.
    public func readSynchronously(_ keys: [EntityStoreKey]) throws -> [EntityStoreKey: Data] {
        let result = Locked<Result<[EntityStoreKey: Data], any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        // Not a wait for Swift's pool, whose threads may all be callers of this: the task runs on its own thread.
        Task.detached(executorPreference: OwnThread()) {
            let found: Result<[EntityStoreKey: Data], any Error>
            do { found = .success(try await self.read(keys)) } catch { found = .failure(error) }
            result.withLock { $0 = found }
            isDone.signal()
        }
        isDone.wait()
        return try result.withLock { $0 }?.get() ?? [:]
    }
}

/// Runs tasks one piece after the other on a queue without a target, which the system gives a thread beyond those of
/// its pool.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "Siesta store, waiting", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
