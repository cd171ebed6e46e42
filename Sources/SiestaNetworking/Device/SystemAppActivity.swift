#if os(Linux) || os(Android)
import Dispatch
#else
import Foundation
#endif

/// The activity of this app, according to the system.
///
/// On Apple platforms, ``isActive`` follows the notifications of `UIApplication` and `NSApplication`. Until the first
/// notification after the first use, the value is true. On macOS, only a hidden app counts as inactive, because the
/// windows of inactive apps stay visible. The handlers are also called when the app becomes the active app.
///
/// On Linux, ``isActive`` is always true. The handlers are called after the process has received the signal `SIGCONT`,
/// for example when the shell command `fg` continues a terminal app. Several signals in quick succession may cause a
/// single call. At the first use, Siesta sets a handler for this signal:
///
/// - The signal still continues the process.
/// - If the app had already set a handler, the handler of Siesta calls that handler, with the same arguments and flags.
/// - If the app later sets a handler or creates a signal source of Dispatch, the handler of Siesta is replaced. From
///   then on, the handlers of this type are no longer called.
@MainActor
public final class SystemAppActivity: AppActivity {
    /// The activity of this app. The library watches the activity from the first use of this property until the process
    /// ends.
    public static let shared = SystemAppActivity()

    public private(set) var isActive = true

    private let handlers = ChangeHandlers()

    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {
        handlers.add(owner: owner, handler)
    }

    #if os(Linux) || os(Android)
    private init() {
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
    private init() {
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
                self?.isActive = isActive
                self?.handlers.call()
            }
        }
    }
    #endif
}
