#if GTK
import CGTK
public import SiestaUI

/// A widget that contains the content of an app, and shows the status of the content's resources above it.
///
/// ```swift
/// let overlay = StatusOverlay(over: listView, displayPriority: .dataFirst)
/// overlay.model.add(repositories)
/// repositories.loadIfNeeded()
/// gtk_window_set_child(window.cast(), overlay.widget)
/// ```
///
/// - While a first load runs, an activity indicator covers the content.
/// - After a failure, a message with a retry button covers the content.
/// - If the content stays visible, the message is a banner at its top.
/// - If the data of visible content follows the server, a quiet line in a corner says so.
///
/// ``model`` decides; the widget only applies its `display`. It uses `model.onChange`.
///
/// ## Lifetime
///
/// The widget keeps the Swift object until it is destroyed, so an app need not keep either. A model that the overlay has
/// created is released with it, and then observes nothing.
///
/// ## Keyboard and screen readers
///
/// Under a cover, the content cannot have the focus. If it had the focus, the focus moves to the retry button, and back
/// when the cover disappears. All other widgets keep the focus. A failure has the role *alert*, and all other messages
/// have the role *status*. All colours and fonts come from the theme.
@MainActor public final class StatusOverlay {
    /// The widget, a `GtkOverlay`. The pointer is valid until the widget is destroyed.
    public let widget: WidgetPointer

    /// The model that decides what is shown.
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
    ///   - model: The model that decides what is shown. If you create several overlays with the same model, only the
    ///     last one shows its status.
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
        ObjectLifetime.atDestruction(of: widget) { self.end() }
        model.view = self
        model.onChange = { [weak self] in self?.apply() }
        apply()
    }

    /// Creates an overlay with a new model, which has no resources.
    public convenience init(over child: WidgetPointer, displayPriority: [StateRule] = .standard) {
        self.init(over: child, model: StatusOverlayModel(displayPriority: displayPriority))
    }

    private func end() {
        isDestroyed = true
        if model.view === self { model.onChange = nil }
    }

    private func apply() {
        guard !isDestroyed else { return }
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
