#if GTK
import CGTK

/// The mouse and the keys that load a failed image again. They exist only for images that have failed once.
@MainActor final class ImageRetryControls {
    /// While true, the widget accepts clicks and the focus.
    var isEnabled = false {
        didSet {
            let phase = isEnabled ? GTK_PHASE_BUBBLE : GTK_PHASE_NONE
            for controller in [click, keys] { gtk_event_controller_set_propagation_phase(controller, phase) }
            gtk_widget_set_focusable(widget, isEnabled ? 1 : 0)
            gtk_widget_set_cursor_from_name(widget, isEnabled ? "pointer" : nil)
        }
    }

    /// The widget owns its controllers, and this object is released with the widget.
    private let widget: WidgetPointer
    private let click: OpaquePointer
    private let keys: OpaquePointer

    init(_ widget: WidgetPointer, _ retry: @escaping @MainActor () -> Void) {
        (self.widget, click, keys) = (widget, gtk_gesture_click_new(), gtk_event_controller_key_new())
        SignalConnection.connect(click, "pressed") { arguments in
            // The click belongs to the image, and not to the row around it.
            arguments.sender.map { _ = gtk_gesture_set_state(OpaquePointer($0), GTK_EVENT_SEQUENCE_CLAIMED) }
        }
        SignalConnection.connect(click, "released") { _ in retry() }
        SignalConnection.connectDecision(UnsafeMutableRawPointer(keys), "key-pressed") { arguments in
            let isActivation = [GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space].contains {
                Int($0) == arguments.integer(at: 1)
            }
            if isActivation { retry() }
            return isActivation
        }
        for controller in [click, keys] { gtk_widget_add_controller(widget, controller) }
    }
}
#endif
