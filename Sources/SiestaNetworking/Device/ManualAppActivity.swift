/// An activity that the app or a test sets. A GTK app, for example, sets the activity when its window gains or loses
/// the focus.
@MainActor
public final class ManualAppActivity: AppActivity {
    /// True if the app is in the foreground. If the value changes, all handlers are called before the assignment
    /// returns.
    public var isActive: Bool {
        didSet { if isActive != oldValue { handlers.call() } }
    }

    private let handlers = ChangeHandlers()

    /// Creates an activity. By default, the app is in the foreground.
    public init(isActive: Bool = true) {
        self.isActive = isActive
    }

    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {
        handlers.add(owner: owner, handler)
    }
}
