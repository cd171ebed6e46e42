#if GTK
import CGTK

/// An event source with which GLib's main loop runs the jobs of the main actor and of `DispatchQueue.main`.
///
/// A GTK app runs `g_application_run` or `g_main_loop_run` on its main thread. Nothing else runs the main queue there,
/// so without the bridge, no `await` returns to the main actor. With the bridge, an idle app does no work: the loop
/// waits for a file descriptor of the main queue.
///
/// The program must be synchronous: a `main.swift`, or a `static func main()` that is not `async`. An `async` main moves the
/// main actor to another thread, on which GTK must not run.
///
/// ```swift
/// MainActorBridge.attach()
/// let loop = g_main_loop_new(nil, 0)
/// g_main_loop_run(loop)
/// ```
///
/// ## Fairness
///
/// The source has the priority with which GDK draws. GLib runs all ready sources of one priority before it looks again, so
/// jobs and frames take turns. Each turn runs the jobs that waited at its start; the jobs that these add wait for the next
/// turn. The duration of a turn is not limited, because libdispatch cannot stop between two jobs. Keyboard and mouse
/// events have a higher priority, and are handled first.
///
/// ## Nested loops
///
/// The main queue is not reentrant. While a job runs a nested main loop, this loop draws and delivers events, but runs no
/// other jobs. A nested loop that a signal handler starts, on the other hand, runs them.
@MainActor public enum MainActorBridge {
    private static var source: guint = 0

    /// A Boolean value that indicates whether the main loop runs the main actor's jobs.
    package static var isAttached: Bool { source != 0 }

    /// Adds the source to GLib's default main context. Does nothing if it is attached.
    ///
    /// - Precondition: The current thread is the main thread of the process, on which alone GTK may be used.
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

    /// Removes the source. Jobs of the main actor then wait until `attach()`. Does nothing if it is not attached.
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
/// The entrance to `SiestaGTK`, which needs the package trait `GTK`.
@available(
    *, unavailable,
    message: """
        SiestaGTK needs the trait GTK: add traits: ["GTK"] to the dependency on this package. On Debian, the headers are in \
        the package libgtk-4-dev.
        """
)
public enum MainActorBridge: Sendable {}
#endif
