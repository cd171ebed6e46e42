#if os(Linux) || os(Android)
import Dispatch
#else
import Foundation
#endif

/// An object that indicates whether the app is in the foreground.
///
/// ``system`` follows the operating system. A test, or a Linux app that has windows, creates its own activity and sets
/// ``isActive``.
@MainActor
public final class AppActivity {
    /// The activity of this app, according to the system. The library watches the system from the first use of this
    /// property until the process ends.
    ///
    /// On Apple platforms, ``isActive`` follows the notifications of `UIApplication` and `NSApplication`. The value is
    /// true until the first notification after the first use of this property. On macOS, an app counts as inactive only
    /// if it is hidden, because its windows are otherwise still visible. The handlers of ``onChange(owner:_:)`` are
    /// also called when a visible app becomes the frontmost app.
    ///
    /// On Linux, ``isActive`` is always true. The handlers are called after the process has received the signal
    /// `SIGCONT`, for example when the shell command `fg` continues a terminal app. Several signals in quick succession
    /// may cause a single call. At the first use of this property, Siesta installs a handler for this signal:
    ///
    /// - The signal still continues the process.
    /// - If the app has already installed a handler, Siesta's handler has the same flags, and calls the app's handler
    ///   with the same arguments.
    /// - If the app later installs another handler, or creates a Dispatch source for this signal, Siesta's handler is
    ///   replaced. In this case, the handlers of ``onChange(owner:_:)`` are no longer called.
    public static let system = AppActivity(watching: ())

    /// True if the app is in the foreground. If the value changes, the handlers of ``onChange(owner:_:)`` are called
    /// before the assignment returns.
    public var isActive: Bool {
        didSet { if isActive != oldValue { handlers.call() } }
    }

    private let handlers = ChangeHandlers()

    /// Creates an activity that changes only when ``isActive`` is set. By default, the app is in the foreground.
    public init(isActive: Bool = true) {
        self.isActive = isActive
    }

    #if os(Linux) || os(Android)
    private convenience init(watching _: Void) {
        self.init()
        guard let descriptor = ContinueSignal.handle() else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: MainQueue.queue)
        source.setEventHandler { [weak self] in
            ContinueSignal.discard()
            MainActor.assumeIsolated { self?.handlers.call() }
            withExtendedLifetime(source) {}
        }
        source.resume()
    }
    #else
    private convenience init(watching _: Void) {
        self.init()
        follow("UIApplicationWillEnterForegroundNotification", isActive: true)
        follow("UIApplicationDidEnterBackgroundNotification", isActive: false)
        follow("NSApplicationDidBecomeActiveNotification", isActive: true)
        follow("NSApplicationDidHideNotification", isActive: false)
        follow("NSApplicationDidUnhideNotification", isActive: true)
    }

    /// Follows a notification by its name, so that the library need not import UIKit or AppKit.
    private func follow(_ name: String, isActive: Bool) {
        let name = Notification.Name(name)
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { [weak self] _ in
            MainActor.assumeIsolated {
                guard let self else { return }
                // The app may become the active app while it is in the foreground.
                if self.isActive == isActive { self.handlers.call() } else { self.isActive = isActive }
            }
        }
    }
    #endif

    /// Calls a handler on the main actor each time the app has entered or left the foreground, until `owner` is
    /// released. The owner is held weakly. Handlers are called in the order in which they were added.
    ///
    /// ``isActive`` may be true in two successive calls, for example after a terminal app was continued.
    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {
        handlers.add(owner: owner, handler)
    }
}
