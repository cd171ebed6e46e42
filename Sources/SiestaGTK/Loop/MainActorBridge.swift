#if GTK
import CGTK

/// An event source that makes GLib's main loop run the jobs of the main actor and of `DispatchQueue.main`.
///
/// A GTK app runs `g_application_run` or `g_main_loop_run` on its main thread. This loop does not run the main queue,
/// so without the bridge, code that awaits never returns to the main actor. In an idle app, the bridge does no work:
/// the loop waits for a file descriptor of the main queue.
///
/// The main function must be synchronous: a `main.swift` that does not use `await` at its top level, or a
/// `static func main()` that is not `async`. An `async` main function moves the main actor to another thread, where GTK
/// must not be used.
///
/// ```swift
/// MainActorBridge.attach()
/// let loop = g_main_loop_new(nil, 0)
/// g_main_loop_run(loop)
/// ```
///
/// ## Fairness
///
/// The source has the same priority as GDK's drawing. In each iteration of the loop, GLib runs all ready sources of
/// this priority once, so jobs and frames alternate. The bridge runs the jobs that are waiting when the iteration
/// begins. Jobs that are added later wait for the next iteration. The duration of an iteration is not limited, because
/// libdispatch cannot stop between two jobs. Keyboard and mouse events have a higher priority, and are handled first.
///
/// ## Nested loops
///
/// The main queue is not reentrant. If a job starts a nested main loop, the nested loop draws and delivers events, but
/// runs no other jobs. If a signal handler starts a nested main loop, the nested loop also runs jobs.
@MainActor public enum MainActorBridge {
    private static var source: guint = 0

    /// A Boolean value that indicates whether the main loop runs the main actor's jobs.
    package static var isAttached: Bool { source != 0 }

    /// Adds the source to GLib's default main context. Does nothing if the source is already attached.
    ///
    /// - Precondition: The current thread is the main thread of the process, the only thread that may use GTK.
    public static func attach() {
        requireMainThread()
        guard source == 0 else { return }
        let drain: GUnixFDSourceFunc = { descriptor, _, _ in
            MainActorBridge.drain(descriptor)
            return cgtk_source_continue
        }
        let descriptor = _dispatch_get_main_queue_handle_4CF()
        source = g_unix_fd_add_full(cgtk_priority_redraw, descriptor, G_IO_IN, drain, nil, nil)
        // Jobs that waited before the first call of the handle function may not have set the descriptor.
        eventfd_write(descriptor, 1)
    }

    /// Removes the source. Jobs of the main actor then wait until `attach()` is called again. Does nothing if the
    /// source is not attached.
    ///
    /// - Precondition: The current thread is the main thread of the process.
    public static func detach() {
        requireMainThread()
        guard source != 0 else { return }
        g_source_remove(source)
        source = 0
    }

    /// Runs the jobs that wait.
    ///
    /// The descriptor is reset first. A job that is added later sets it again, so the next turn of the loop finds the job.
    private nonisolated static func drain(_ descriptor: gint) {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
        _dispatch_main_queue_callback_4CF(nil)
    }

    private static func requireMainThread() {
        // In optimized programs, a precondition would show no message.
        guard MainThread.isCurrent else {
            fatalError(
                "GTK needs the main thread. The main function of the program must not be async, and must not call dispatchMain()."
            )
        }
    }
}
#else
/// The entry point of `SiestaGTK`, which needs the package trait `GTK`.
@available(
    *, unavailable,
    message: """
        SiestaGTK needs the trait GTK: add traits: ["GTK"] to the dependency on this package. On Debian, the headers are in \
        the package libgtk-4-dev.
        """
)
public enum MainActorBridge: Sendable {}
#endif
