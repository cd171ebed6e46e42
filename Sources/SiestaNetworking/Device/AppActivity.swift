/// A source of information about the activity of the app: whether it is in the foreground.
///
/// ``SystemAppActivity`` asks the system. ``ManualAppActivity`` is set by the app or by a test. Custom implementations
/// can use ``ChangeHandlers`` for their handlers.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
public protocol AppActivity: AnyObject {
    /// True if the app is in the foreground.
    var isActive: Bool { get }

    /// Calls a handler on the main actor after the app has entered or left the foreground, until `owner` is released.
    /// The owner is held weakly. Handlers are called in the order in which they were added.
    ///
    /// ``isActive`` may be true in two successive calls, for example after a terminal app was continued.
    func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void)
}
