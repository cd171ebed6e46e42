#if GTK
import CGTK

/// The thread of the process on which `main` runs, and on which all functions of GTK must be called.
enum MainThread {
    static var isCurrent: Bool { cgtk_is_main_thread() }

    /// Runs the body of a callback of GTK as main-actor code, and returns its result.
    ///
    /// GTK calls back on the main thread only. `assumeIsolated` traps on any other thread. Argument and result stay on
    /// this thread, so neither crosses an isolation boundary although the compiler cannot know it.
    static func run<Argument, Result>(_ argument: Argument, _ body: @MainActor (Argument) -> Result) -> Result {
        nonisolated(unsafe) let argument = argument
        nonisolated(unsafe) var result: Result?
        MainActor.assumeIsolated { result = body(argument) }
        guard let result else { preconditionFailure("assumeIsolated runs its body before it returns") }
        return result
    }

    /// Releases a reference to an object of GLib: at once on the main thread, else from the main loop.
    ///
    /// The last release of a widget runs code of GTK, and that of a texture touches data of the renderer. Both belong to
    /// the main thread.
    static func unref(_ object: UnsafeMutableRawPointer) {
        if isCurrent {
            g_object_unref(object)
        } else {
            let unref: GSourceFunc = { object in
                g_object_unref(object)
                return cgtk_source_remove
            }
            g_idle_add_full(G_PRIORITY_DEFAULT, unref, object, nil)
        }
    }
}
#endif
