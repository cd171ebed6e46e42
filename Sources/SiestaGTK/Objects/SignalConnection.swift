#if GTK
import CGTK

/// A Swift closure that is connected to a signal of a GTK object.
///
/// The object keeps the closure until the object is destroyed or `disconnect()` is called. The app does not need to
/// keep the connection. While the closure runs, it may destroy the object, disconnect itself, or connect other
/// closures. A closure that is disconnected while it runs is released after it returns.
///
/// A closure that holds a strong reference (`g_object_ref`) to the object keeps the object alive forever. Instead, get
/// the object from `SignalArguments.sender`.
///
/// ```swift
/// let button = gtk_button_new_with_label("Retry")!
/// SignalConnection.connect(button, "clicked") { [weak model] _ in model?.retry() }
/// ```
@MainActor public final class SignalConnection {
    private let closure: ClosureReference

    private init(_ closure: ClosureReference) { self.closure = closure }

    /// Connects a closure to a signal that expects no result.
    ///
    /// - Parameters:
    ///   - object: The object that emits the signal.
    ///   - signal: The name of the signal, with an optional detail as in `notify::active`.
    ///   - handler: The closure to call with the arguments of the signal.
    /// - Precondition: The object has this signal.
    @discardableResult public static func connect(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Void
    ) -> SignalConnection {
        connect(object, signal, SignalClosure { arguments, _ in handler(arguments) })
    }

    /// Connects a closure to a signal that expects a Boolean value as its result, such as `close-request` of a window.
    ///
    /// - Precondition: The object has this signal.
    @discardableResult public static func connectDecision(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Bool
    ) -> SignalConnection {
        connect(
            object, signal,
            SignalClosure { arguments, result in
                let decision = handler(arguments)
                if let result { g_value_set_boolean(result, decision ? 1 : 0) }
            })
    }

    /// Connects a closure to a signal of an object whose type Swift imports as opaque.
    @discardableResult public static func connect(
        _ object: OpaquePointer, _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Void
    ) -> SignalConnection {
        connect(UnsafeMutableRawPointer(object), signal, handler)
    }

    /// Removes the closure from the object. Does nothing if the closure has already been removed, or if the object has
    /// been destroyed.
    public func disconnect() { g_closure_invalidate(closure.pointer) }

    private static func connect(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ handler: SignalClosure
    ) -> SignalConnection {
        let closure = ClosureReference(handler)
        let number = g_signal_connect_closure(object, signal, closure.pointer, 0)
        precondition(number != 0, "\(String(cString: cgtk_type_name(object))) has no signal \(signal)")
        // The end of the object releases the handler, although the app may keep the connection.
        g_object_watch_closure(object.assumingMemoryBound(to: GObject.self), closure.pointer)
        return SignalConnection(closure)
    }
}

/// The handler of a signal. GLib's closure owns it.
private final class SignalClosure {
    let handle: @MainActor (SignalArguments, UnsafeMutablePointer<GValue>?) -> Void

    init(_ handle: @escaping @MainActor (SignalArguments, UnsafeMutablePointer<GValue>?) -> Void) {
        self.handle = handle
    }
}

/// A reference to a closure of GLib, which can be released on any thread.
private final class ClosureReference: @unchecked Sendable {  // sound: constant, and released on the main thread
    let pointer: UnsafeMutablePointer<GClosure>

    init(_ handler: SignalClosure) {
        let marshal: GClosureMarshal = { closure, result, count, values, _, _ in
            guard let data = cgtk_closure_data(closure) else { return }
            let values = UnsafeBufferPointer(start: values, count: Int(count))
            // Keeps the handler until it returns, if it disconnects itself.
            let handler = Unmanaged<SignalClosure>.fromOpaque(data).takeUnretainedValue()
            MainThread.run((handler, values, result)) { handler, values, result in
                handler.handle(SignalArguments(values), result)
            }
        }
        let release: GClosureNotify = { data, _ in
            if let data { Unmanaged<SignalClosure>.fromOpaque(data).release() }
        }
        pointer = cgtk_closure_new(Unmanaged.passRetained(handler).toOpaque(), marshal, release)
    }

    deinit {
        if MainThread.isCurrent {
            g_closure_unref(pointer)
        } else {
            let unref: GSourceFunc = { closure in
                g_closure_unref(closure?.assumingMemoryBound(to: GClosure.self))
                return cgtk_source_remove
            }
            g_idle_add_full(G_PRIORITY_DEFAULT, unref, pointer, nil)
        }
    }
}
#endif
