/// A step that a ``Schedule`` may take, any number of times.
@MainActor
public struct ScheduleStep<App> {
    /// The name of the step in scripts.
    public let name: String

    let weight: Double
    let arguments: Range<Int>?
    let isPossible: (App) -> Bool
    let action: (App, Int) async throws -> Void

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - name: The name of the step. All steps of a schedule must have different names.
    ///   - weight: The relative frequency of the step. The default is 1. A step with weight 2 is chosen twice as often as a
    ///     step with weight 1, and a step with weight 0 occurs only in scripts.
    ///   - isPossible: A closure that returns true if the step makes sense now. If it returns false, the schedule chooses
    ///     another step.
    ///   - action: A closure that takes the step. If it throws an error, the schedule fails.
    public init(
        _ name: String, weight: Double = 1, when isPossible: @escaping (App) -> Bool = { _ in true },
        _ action: @escaping (App) async throws -> Void
    ) {
        (self.name, self.weight, self.isPossible, arguments) = (name, weight, isPossible, nil)
        self.action = { app, _ in try await action(app) }
    }

    /// Creates a step with an argument.
    ///
    /// - Parameters:
    ///   - name: The name of the step. All steps of a schedule must have different names.
    ///   - arguments: The possible arguments, all with the same probability.
    ///   - weight: The relative frequency of the step. The default is 1.
    ///   - isPossible: A closure that returns true if the step makes sense now. If it returns false, the schedule chooses
    ///     another step.
    ///   - action: A closure that takes the step with an argument. If it throws an error, the schedule fails.
    public init(
        _ name: String, _ arguments: Range<Int>, weight: Double = 1,
        when isPossible: @escaping (App) -> Bool = { _ in true }, _ action: @escaping (App, Int) async throws -> Void
    ) {
        (self.name, self.weight, self.isPossible) = (name, weight, isPossible)
        (self.arguments, self.action) = (arguments, action)
    }

    /// Draws an argument. Returns the call.
    func call(_ generator: inout SplitMix64) -> ScheduleCall {
        guard let arguments, !arguments.isEmpty else { return ScheduleCall(name) }
        return ScheduleCall(name, Int.random(in: arguments, using: &generator))
    }
}

/// A result builder that collects the steps of a ``Schedule``.
@MainActor @resultBuilder
public enum ScheduleBuilder<App> {
    /// Returns an array with the given step.
    public static func buildExpression(_ step: ScheduleStep<App>) -> [ScheduleStep<App>] { [step] }
    /// Returns the steps of a block.
    public static func buildBlock(_ steps: [ScheduleStep<App>]...) -> [ScheduleStep<App>] { steps.flatMap { $0 } }
    /// Returns the steps of a loop.
    public static func buildArray(_ steps: [[ScheduleStep<App>]]) -> [ScheduleStep<App>] { steps.flatMap { $0 } }
    /// Returns the steps of an `if` without `else`.
    public static func buildOptional(_ steps: [ScheduleStep<App>]?) -> [ScheduleStep<App>] { steps ?? [] }
    /// Returns the steps of an `if` branch.
    public static func buildEither(first steps: [ScheduleStep<App>]) -> [ScheduleStep<App>] { steps }
    /// Returns the steps of an `else` branch.
    public static func buildEither(second steps: [ScheduleStep<App>]) -> [ScheduleStep<App>] { steps }
}
