#if GTK
import CGTK
public import SiestaUI

/// A widget that contains the content of a screen, and shows the status of the content's resources in front of it.
///
/// ```swift
/// let overlay = StatusOverlay(over: listView, displayPriority: .dataFirst)
/// overlay.model.add(repositories)
/// repositories.loadIfNeeded()
/// gtk_window_set_child(window.cast(), overlay.widget)
/// ```
///
/// - If the rules of the model cover the content during a load, the widget shows an activity indicator.
/// - If the rules cover the content after a failure, the widget shows a message with a retry button.
/// - If the rules keep the content visible, a banner at its top shows any message.
/// - If the visible content has a source of live updates, a small line in a corner shows the state of these updates.
///
/// The ``model`` decides what is shown. The widget sets `model.onChange`, so the app must not set this closure.
///
/// ## Lifetime
///
/// The Swift object is kept alive until GTK destroys the widget, so the app does not need to reference it. If the
/// overlay has created its own model, the model is released together with the overlay, and stops observing.
///
/// ## Keyboard and screen readers
///
/// While the content is covered, it cannot have the keyboard focus. If it had the focus before, the focus moves to the
/// retry button, if there is one, and moves back when the cover disappears. If a widget outside the overlay has the
/// focus, the focus stays there. For screen readers, a failure has the role *alert*, and all other messages have the
/// role *status*. All colors and fonts come from the theme.
@MainActor public final class StatusOverlay {
    /// The widget, a `GtkOverlay`. The pointer is valid until the widget is destroyed.
    public let widget: WidgetPointer

    /// The model that decides what the overlay shows.
    public let model: StatusOverlayModel

    private let content: WidgetPointer
    private let cover: StatusCover
    private let banner: StatusBanner
    private let live = LiveLabel()
    private var focus: CoveredFocus
    private var shownCover = StatusDisplay.Cover.none
    private var isDestroyed = false

    /// Creates an overlay with a model.
    ///
    /// - Parameters:
    ///   - child: The content, which expands to the size of the overlay.
    ///   - model: The model that decides what the overlay shows. If you create several overlays with the same model,
    ///     only the last one shows its status.
    public init(over child: WidgetPointer, model: StatusOverlayModel) {
        self.model = model
        widget = gtk_overlay_new()
        content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        (cover, banner) = (StatusCover(), StatusBanner())
        focus = CoveredFocus(content: content, cover: cover.widget)
        gtk_box_append(content.cast(), child)
        gtk_widget_set_hexpand(child, 1)
        gtk_widget_set_vexpand(child, 1)
        gtk_overlay_set_child(widget.opaque, content)
        gtk_overlay_add_overlay(widget.opaque, live.widget)
        gtk_overlay_add_overlay(widget.opaque, banner.widget)
        gtk_overlay_add_overlay(widget.opaque, cover.widget)
        cover.onRetry { [weak self] in self?.model.retry() }
        banner.onRetry { [weak self] in self?.model.retry() }
        SignalConnection.connect(widget, "destroy") { _ in self.end() }  // before the handlers of the app
        model.view = self
        model.onChange = { [weak self] in self?.apply() }
        apply()
    }

    /// Creates an overlay with a new ``model``, to which you then add the resources.
    public convenience init(over child: WidgetPointer, displayPriority: [StateRule] = .standard) {
        self.init(over: child, model: StatusOverlayModel(displayPriority: displayPriority))
    }

    private func end() {
        isDestroyed = true
        if model.view === self { model.onChange = nil }
    }

    private func apply() {
        // An overlay that is being destroyed gives up its content before its other children.
        guard !isDestroyed, gtk_overlay_get_child(widget.opaque) == content else { return }
        // A handler of the app that is told of the focus may destroy the window. The widgets live until the change is complete.
        let root = gtk_widget_get_root(widget).map { WidgetPointer($0) }
        let widgets = [widget, root].compactMap(\.self).map(ObjectReference.init(keeping:))
        defer { withExtendedLifetime(widgets) {} }
        let display = model.display
        let isCovered = display.cover != .none
        let isChanged = display.cover != shownCover
        shownCover = display.cover
        if isChanged { focus.take() }
        gtk_widget_set_can_focus(content, isCovered ? 0 : 1)
        cgtk_set_accessible_hidden(content, isCovered)
        cover.show(display, loading: model.words.loading)
        banner.show(display.banner)
        live.show(display.live)
        if isChanged { moveFocus(display.cover) }
    }

    private func moveFocus(_ shown: StatusDisplay.Cover) {
        switch shown {
        case .none: focus.giveBack()
        case .loading: break
        case .failure: focus.give(to: cover.retryButton)
        }
    }
}
#endif
