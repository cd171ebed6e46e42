public import Foundation

// Names that are common in other libraries. Using one is an error whose message names the right declaration. None of them is part
// of the public interface.

extension StubAnswer {
    /// Not available: use ``after(_:)`` or ``held``.
    @available(*, unavailable, message: "Use after(_:) with a gate that the test opens, or held.")
    public func delayed(by time: TimeInterval) -> StubAnswer { fatalError() }
}
