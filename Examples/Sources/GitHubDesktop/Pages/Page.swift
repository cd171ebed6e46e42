#if GTK
import CGTK
import GitHubClient
import SiestaGTK
import SiestaUI

/// A page of the window: the widgets of one screen. The model decides what is shown.
@MainActor
protocol Page: AnyObject {
    /// The model, which loads the data.
    var model: any ScreenModel { get }
    /// The widget, which the window owns.
    var widget: WidgetPointer { get }
    /// The widget that gets the focus when the page appears.
    var focusWidget: WidgetPointer? { get }

    /// Shows the state of the model. The lists, the status and the progress show theirs without it.
    func update()
}

/// The part that all pages have: a content, with the status and the progress of its resources above it.
@MainActor
struct PageFrame {
    let widget: WidgetPointer

    init(_ content: WidgetPointer, _ monitor: ResourceMonitor) {
        widget = gtk_overlay_new()
        let bar = ResourceProgressBar(monitor.progress)
        gtk_widget_set_valign(bar.widget, GTK_ALIGN_START)
        gtk_overlay_set_child(widget.object, StatusOverlay(over: content, model: monitor.status).widget)
        gtk_overlay_add_overlay(widget.object, bar.widget)
    }
}
#endif
