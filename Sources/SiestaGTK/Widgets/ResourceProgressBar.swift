#if GTK
import CGTK
public import SiestaUI

/// A progress bar for the loads of resources. The bar is visible only while a load is running.
///
/// ```swift
/// let bar = ResourceProgressBar(ProgressModel(following: repositories))
/// gtk_box_append(box.cast(), bar.widget)
/// ```
///
/// While the progress is unknown, the bar moves back and forth, which takes one callback per frame. At all other times,
/// no callback is needed. The Swift object is kept alive until GTK destroys the widget. The object sets
/// `model.onChange`, so the app must not set this closure.
@MainActor public final class ResourceProgressBar {
    /// The widget, a `GtkProgressBar`. The pointer is valid until the widget is destroyed.
    public let widget: WidgetPointer = gtk_progress_bar_new()

    /// The model that decides what the bar shows.
    public let model: ProgressModel

    /// The time between two steps of a bar without a known progress, in microseconds.
    private static let pulseInterval: Int64 = 50_000

    private var pulse: TickCallback?
    private var lastPulse: Int64 = 0
    private var isDestroyed = false

    /// Creates a bar that shows the progress of a model.
    ///
    /// - Parameters:
    ///   - model: The model that decides what the bar shows. If you create several bars with the same model, only the
    ///     last one is updated.
    ///   - label: The name of the bar for screen readers.
    public init(_ model: ProgressModel, label: String = StatusWords.current.loading) {
        self.model = model
        cgtk_set_accessible_label(widget, label)
        gtk_progress_bar_set_pulse_step(widget.opaque, 0.05)
        SignalConnection.connect(widget, "destroy") { _ in self.end() }  // before the handlers of the app
        model.view = self
        model.onChange = { [weak self] in self?.apply() }
        apply()
    }

    /// A Boolean value that indicates whether the bar requests a call before each frame.
    package var isPulsing: Bool { pulse?.isActive == true }

    private func end() {
        isDestroyed = true
        if model.view === self { model.onChange = nil }
    }

    private func apply() {
        guard !isDestroyed else { return }
        gtk_widget_set_visible(widget, model.isActive ? 1 : 0)
        if let fraction = model.fraction { gtk_progress_bar_set_fraction(widget.opaque, min(max(fraction, 0), 1)) }
        if model.isActive, model.fraction == nil { startPulse() } else { stopPulse() }
    }

    private func startPulse() {
        guard !isPulsing else { return }
        pulse = TickCallback(widget) { [weak self] time in
            self?.step(at: time)
            return self != nil
        }
    }

    private func step(at time: Int64) {
        guard time - lastPulse >= Self.pulseInterval else { return }
        lastPulse = time
        gtk_progress_bar_pulse(widget.opaque)
    }

    private func stopPulse() {
        pulse?.stop()
        pulse = nil
    }
}
#endif
