import Dispatch
public import Foundation

extension EntityStore {
    /// Calls ``read(_:)`` on a thread that serves this call alone, and waits for the result.
    public func readSynchronously(_ keys: [EntityStoreKey]) throws -> [EntityStoreKey: Data] {
        let result = Locked<Result<[EntityStoreKey: Data], any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        // The task runs on a thread of its own. In Swift's pool it might never start, since all threads there may wait
        // here.
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

/// Runs the jobs of tasks one after the other, on a queue without a target queue. The system gives such a queue a
/// thread beyond those of its pool.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "Siesta store, waiting", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
