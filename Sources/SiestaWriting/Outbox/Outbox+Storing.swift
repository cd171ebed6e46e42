import Foundation
import SiestaCore

/// The decisions of an outbox, and their way to the disk.
extension Outbox {
    /// The time after which a failed write is tried again, in seconds.
    private static let repetition = 30.0

    /// Decides by the rules, and stores the result. `done` is called when the result is on disk. If the outbox has
    /// ended, `done` is called with ``OutboxError/hasEnded`` at once.
    ///
    /// - Parameter prepare: is called before, and delays all later decisions.
    func perform(
        _ kind: OutboxWork.Kind, preparedBy prepare: (() async throws -> Void)? = nil,
        deciding decide: @escaping (inout OutboxRules) throws(OutboxError) -> [OutboxStep],
        _ done: @escaping (Result<[OutboxStep], any Error>) -> Void = { _ in }
    ) {
        guard !isClosed else { return done(.failure(OutboxError.hasEnded)) }
        work.waiting.append(
            OutboxWork.Job(kind: kind, prepare: prepare, decide: decide, done: done))
        run()
    }

    /// Does the same, and waits.
    ///
    /// - Parameter done: is called before anything else is decided, even if the store has failed.
    func performed(
        _ decide: @escaping (inout OutboxRules) throws(OutboxError) -> [OutboxStep],
        then done: @escaping () -> Void = {}
    ) async throws {
        _ = try await withCheckedThrowingContinuation { continuation in
            perform(.decision, deciding: decide) {
                done()
                continuation.resume(with: $0.map { _ in () })
            }
        }
    }

    /// Stores what waits, in batches, and sends what can be sent.
    func run() {
        guard !work.isRunning, context != nil || !work.waiting.isEmpty else { return }
        work.isRunning = true
        Task {
            await isLoaded()
            while true {
                planRequests()
                guard !work.waiting.isEmpty else { break }
                await store(exchange(&work.waiting, with: []))
            }
            work.isRunning = false
            resumeWaiting()
        }
    }

    private func store(_ jobs: [OutboxWork.Job]) async {
        var jobs = jobs
        if jobs.contains(where: { $0.prepare != nil }) { jobs = await prepared(jobs) }
        var decided: [(job: OutboxWork.Job, steps: [OutboxStep])] = []
        var refused: [(job: OutboxWork.Job, error: OutboxError)] = []
        entriesChanged {
            for job in jobs {
                do throws(OutboxError) {
                    decided.append((job, try job.decide(&rules)))
                } catch {
                    refused.append((job, error))
                }
            }
        }
        for (job, error) in refused { job.done(.failure(error)) }
        let problem = await stored(decided.flatMap(\.steps).flatMap(\.changes))
        entriesChanged {
            for (job, steps) in decided {
                let isWithdrawn = problem != nil && job.kind == .acceptance
                for step in steps { if isWithdrawn { rules.withdraw(step) } else { rules.stored(step) } }
            }
        }
        for (job, steps) in decided {
            if let problem, job.kind != .outcome { job.done(.failure(problem)) } else { job.done(.success(steps)) }
        }
    }

    /// Stores changes, and what earlier calls could not store. Returns the reason if it cannot.
    private func stored(_ changes: [OutboxStoreChange]) async -> (any Error)? {
        guard isOpen else { return failure }
        let all = work.unstored.repeated(around: changes, by: rules)
        guard !all.isEmpty else { return nil }
        do {
            try await store.apply(all)
            (work.unstored, failure) = (OutboxUnstored(), nil)
            return nil
        } catch {
            work.unstored.add(changes)
            failure = error
            scheduleRepetition()
            return error
        }
    }

    /// Repeats what could not be stored, after a wait.
    private func scheduleRepetition() {
        guard !work.isRepeating, let clock = context?.clock else { return }
        work.isRepeating = true
        clock.schedule(after: Self.repetition) { [weak self] in
            self?.work.isRepeating = false
            if self?.work.unstored.isEmpty == false { self?.perform(.decision, deciding: { _ in [] }) }
        }
    }

    /// Stores what could not be stored before the end of the outbox.
    func storeRest() async {
        let all = work.unstored.repeated(around: [], by: rules)
        if !all.isEmpty { try? await store.apply(all) }
    }

    /// Prepares jobs one after the other. Returns those that can be done.
    private func prepared(_ jobs: [OutboxWork.Job]) async -> [OutboxWork.Job] {
        var ready: [OutboxWork.Job] = []
        for job in jobs {
            do {
                try await job.prepare?()
                ready.append(job)
            } catch {
                job.done(.failure(error))
            }
        }
        return ready
    }
}
