/// One call of a step in the script of a ``Schedule``.
public struct ScheduleCall: Equatable, Sendable {
    package let name: String
    package let argument: Int?

    /// Creates a call of the step with this name. The argument is nil for a step without arguments.
    public init(_ name: String, _ argument: Int? = nil) {
        (self.name, self.argument) = (name, argument)
    }

    /// The call as Swift code: `.init("load", 3)`.
    package var description: String {
        ".init(\(name.debugDescription)\(argument.map { ", \($0)" } ?? ""))"
    }
}
