/// One call of a step in the script of a ``Schedule``.
public struct ScheduleCall: Hashable, Sendable, CustomStringConvertible {
    /// The name of the step.
    public let name: String
    /// The argument; nil for a step without arguments.
    public let argument: Int?

    /// Creates a call.
    public init(_ name: String, _ argument: Int? = nil) {
        (self.name, self.argument) = (name, argument)
    }

    /// The call as Swift code: `.init("load", 3)`.
    public var description: String {
        ".init(\(name.debugDescription)\(argument.map { ", \($0)" } ?? ""))"
    }
}
