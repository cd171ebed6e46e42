/// A test that takes random steps in an app, and checks an invariant after each step.
///
///     let schedule = Schedule { seed in BookApp(seed: seed) } invariant: { $0.screen.isConsistent } steps: {
///         ScheduleStep("open", 0..<3) { app, number in app.open(book: number) }
///         ScheduleStep("close", when: { $0.isOpen }) { app in app.close() }
///         ScheduleStep("wait") { app in try await app.clock.advance(by: 1, settling: app.service) }
///     }
///     try await schedule.run(steps: 40, seeds: 0..<100)
///
/// For each seed, the schedule creates a new app. A seed produces the same steps on every platform. If a seed fails,
/// the schedule runs again with fewer and fewer steps, until every remaining step is needed for the failure. The
/// description of the thrown error contains the shortened script as Swift code for ``replay(seed:_:)``.
///
/// A failed expectation of a test framework, such as `#expect`, does not stop a schedule. To make a step fail, throw an
/// error in the step, for example with `#require`.
@MainActor
public struct Schedule<App> {
    private let setUp: (UInt64) async throws -> App
    private let invariant: (App) async throws -> Bool
    private let steps: [ScheduleStep<App>]

    /// The real time after which a step counts as hanging. The default is 10 seconds. Time during which the main thread
    /// is busy with other work does not count. If a step blocks the main thread, it cannot be stopped.
    public var stepTimeLimit: Duration = .seconds(10)

    /// The maximum number of runs that the schedule uses to shorten a failing script. The default is 500. If a step
    /// hangs, there are at most 20 runs, because each run can take as long as the time limit.
    public var shrinkLimit = 500

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - setUp: A closure that creates the app for a seed, for example with a ``FaultyNetwork`` that has this seed.
    ///     The behavior of the app must depend only on the seed and on the steps.
    ///   - invariant: A closure that returns true if the app is in a valid state. It is called at the start and after
    ///     each step. If it throws an error, the invariant counts as violated.
    ///   - steps: The possible steps. The names of all steps must be different; otherwise, a runtime error stops the
    ///     process.
    public init(
        setUp: @escaping (_ seed: UInt64) async throws -> App,
        invariant: @escaping (App) async throws -> Bool = { _ in true },
        @ScheduleBuilder<App> steps: () -> [ScheduleStep<App>]
    ) {
        (self.setUp, self.invariant, self.steps) = (setUp, invariant, steps())
        let names = self.steps.map(\.name)
        precondition(Set(names).count == names.count, "The steps of a Schedule need different names: \(names)")
    }

    /// Runs the schedule once for each seed. Stops at the first seed that fails.
    ///
    /// - Parameters:
    ///   - steps: The number of steps for each seed. If no step is possible, a run ends earlier.
    ///   - seeds: The seeds to try, in this order.
    /// - Throws: An error that describes the failure, or `CancellationError` if the task is cancelled.
    public func run(steps: Int, seeds: Range<UInt64>) async throws {
        for seed in seeds { try await run(steps: steps, seed: seed) }
    }

    /// Runs the schedule for one seed.
    ///
    /// - Throws: An error that describes the failure, or `CancellationError` if the task is cancelled.
    public func run(steps: Int, seed: UInt64) async throws {
        var generator = SplitMix64(seed: seed)
        let failure = try await attempt(seed) { app, number in
            number < steps ? draw(app, &generator) : nil
        }
        if let failure { throw try await shrunk(failure) }
    }

    /// Runs a script, for example the script in the description of a failure. Omits steps that are not possible.
    ///
    /// - Throws: An error that describes the failure, or `CancellationError` if the task is cancelled.
    public func replay(seed: UInt64, _ script: [ScheduleCall]) async throws {
        if let failure = try await attempt(seed, script) { throw failure }
    }

    /// Draws the next step among those that are possible; nil if none is.
    private func draw(_ app: App, _ generator: inout SplitMix64) -> ScheduleCall? {
        let possible = steps.filter { $0.weight > 0 && $0.isPossible(app) }
        var rest = generator.nextFraction() * possible.reduce(0) { $0 + $1.weight }
        for step in possible {
            rest -= step.weight
            if rest < 0 { return step.call(&generator) }
        }
        return possible.last?.call(&generator)
    }

    // MARK: Attempts

    private func attempt(_ seed: UInt64, _ script: [ScheduleCall]) async throws -> ScheduleFailure? {
        try await attempt(seed) { _, number in number < script.count ? script[number] : nil }
    }

    /// Runs the steps that `next` returns. Returns the failure; nil without a failure.
    private func attempt(
        _ seed: UInt64, next: (App, Int) -> ScheduleCall?
    ) async throws -> ScheduleFailure? {
        var calls: [ScheduleCall] = []
        func failure(_ kind: ScheduleFailure.Kind, _ message: String) -> ScheduleFailure {
            ScheduleFailure(kind: kind, seed: seed, script: calls, message: message)
        }
        let app: App
        do { app = try await setUp(seed) } catch { return failure(.setUp, "\(error)") }
        if let message = await violation(of: app) { return failure(.invariant, message) }
        var number = 0
        while let call = next(app, number) {
            try Task.checkCancellation()
            number += 1
            guard let step = steps.first(where: { $0.name == call.name }) else {
                calls.append(call)
                return failure(.unknownStep, "its steps are \(steps.map(\.name))")
            }
            guard step.isPossible(app) else { continue }
            calls.append(call)
            let end = await TimedStep.run(within: stepTimeLimit) { try await step.action(app, call.argument ?? 0) }
            switch end {
            case .done: break
            case .failed(let error):
                try Task.checkCancellation()
                return failure(.step, "\(error)")
            case .hangs: return failure(.hang, "it has run for \(stepTimeLimit)")
            }
            if let message = await violation(of: app) { return failure(.invariant, message) }
        }
        return nil
    }

    private func violation(of app: App) async -> String? {
        do {
            return try await invariant(app) ? nil : "it returns false"
        } catch {
            return "\(error)"
        }
    }

    // MARK: Shrinking

    func runLimit(after kind: ScheduleFailure.Kind) -> Int { kind == .hang ? min(shrinkLimit, 20) : shrinkLimit }

    private func shrunk(_ first: ScheduleFailure) async throws -> ScheduleFailure {
        var shrinking = ScheduleFailure.Shrinking(originalCount: first.script.count)
        var best = first
        func fails(_ script: [ScheduleCall]) async throws -> Bool {
            shrinking.runs += 1
            guard let failure = try await attempt(first.seed, script), failure.kind == first.kind else { return false }
            best = failure
            return true
        }
        shrinking.isReproducible = try await fails(first.script)
        if shrinking.isReproducible {
            var search = ScriptSearch(best.script)
            let limit = runLimit(after: first.kind)
            while shrinking.runs < limit, let candidate = search.next() {
                if try await fails(candidate) { search.accept(best.script) }
            }
            shrinking.isComplete = search.isOver
        }
        best.shrinking = shrinking
        return best
    }
}

/// Not sendable, because the steps belong to the main actor.
@available(*, unavailable)
extension ScheduleStep: Sendable {}
