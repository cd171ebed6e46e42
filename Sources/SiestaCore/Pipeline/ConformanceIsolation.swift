import Dispatch

/// Tells whether a type's conformance to `Decodable` may be used on the current thread.
///
/// A type that is isolated to the main actor can have a conformance that is isolated to the main actor, too (SE-0470).
/// All types of a module with the default isolation `MainActor` do. Such a conformance must not be used elsewhere. The
/// compiler knows this, but a generic function can find it out only at run time: a dynamic cast that needs the
/// conformance fails off the main actor.
struct ConformanceIsolation: Sendable {
    private let decodable: any Sendable

    /// The type may be `Decodable`. The parameter never says so, because the compiler would then remove the cast.
    init<Content>(_ type: Content.Type) {
        decodable = Conformer<Content>()
    }

    /// True if the type has a conformance that may be used on the current thread.
    var allowsUse: Bool { decodable is any UsesDecodable }

    /// Does `work`, which uses the conformance: on the current thread if possible, and otherwise on the main actor. In
    /// the second case, the current thread waits.
    func perform<Result>(_ work: () throws -> Result) rethrows -> Result {
        if MainQueue.isCurrent || allowsUse { return try work() }
        return try MainQueue.queue.sync(execute: work)
    }
}

private protocol UsesDecodable {}

/// Conforms to `UsesDecodable` exactly where `Content` conforms to `Decodable`.
private struct Conformer<Content>: Sendable {}

extension Conformer: UsesDecodable where Content: Decodable {}
