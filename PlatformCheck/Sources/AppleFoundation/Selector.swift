/// Stands for the selectors of Objective-C. `.ci/platforms` replaces `#selector(…)` by `Selector(…)`, so that the name of
/// the method is an ordinary reference to this method.
public struct Selector: Sendable {
    private let call: @MainActor @Sendable (AnyObject, Any) -> Void

    public init<Target: AnyObject, Sender>(
        _ method: @escaping @MainActor @Sendable (Target) -> @MainActor @Sendable (Sender) -> Void
    ) {
        call = { target, sender in
            guard let target = target as? Target, let sender = sender as? Sender else {
                fatalError("The object does not have this method.")
            }
            method(target)(sender)
        }
    }

    /// Sends the message to the object, with a sender.
    @_spi(Fakes) @MainActor public func perform(_ target: AnyObject, _ sender: Any) { call(target, sender) }
}
