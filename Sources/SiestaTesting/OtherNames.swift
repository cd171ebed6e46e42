public import Foundation
public import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Names that are common in other libraries. Using one is an error whose message names the right declaration. None of them is part
// of the public interface.

extension StubAnswer {
    /// Not available: use ``after(_:)`` or ``held``.
    @available(*, unavailable, message: "Use after(_:) with a gate that the test opens, or held.")
    public func delayed(by time: TimeInterval) -> StubAnswer { fatalError() }
}

extension StubNetwork {
    /// Not available: set ``handler``.
    @available(*, unavailable, message: "Set handler, a closure that receives each request.")
    public func answer(_ method: RequestMethod = .get, _ path: String, with answer: (URLRequest) -> StubAnswer) {
        fatalError()
    }
}
