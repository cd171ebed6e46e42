#if GTK
import CGTK
import GitHubClient
import SiestaGTK

/// The window in which a user signs in.
@MainActor
final class SignInDialog {
    let window: UnsafeMutablePointer<GtkWindow>
    private let browser: BrowserModel
    private let reason = WidgetPointer.label(style: "error", wraps: true)
    private let outcome = WidgetPointer.label(style: "error", wraps: true)
    private let spinner: WidgetPointer = gtk_spinner_new()
    private let buttons: WidgetPointer
    private var isClosed = false

    init(_ browser: BrowserModel, over parent: UnsafeMutablePointer<GtkWindow>) {
        self.browser = browser
        window = UnsafeMutableRawPointer(gtk_window_new()!).assumingMemoryBound(to: GtkWindow.self)
        let users = browser.users
        buttons = .column(
            spacing: 6,
            users.map { user in
                let title = browser.backend.isLive ? "the owner of the token" : user
                let button = gtk_button_new_with_label(title)!
                SignalConnection.connect(button, "clicked") { [weak browser] _ in browser?.signIn(user) }
                return button
            })
        let cancel = gtk_button_new_with_label("Cancel")!
        SignalConnection.connect(cancel, "clicked") { [weak browser] _ in browser?.leaveSignIn() }
        let title = WidgetPointer.label("Sign in as", style: "title-4")
        gtk_window_set_child(
            window,
            WidgetPointer.column(spacing: 12, [title, reason, buttons, spinner, outcome, cancel]).margins(24, 24))
        show(over: parent)
    }

    private func show(over parent: UnsafeMutablePointer<GtkWindow>) {
        gtk_window_set_title(window, "Sign in")
        gtk_window_set_modal(window, 1)
        gtk_window_set_transient_for(window, parent)
        gtk_window_set_destroy_with_parent(window, 1)
        gtk_window_set_default_size(window, 320, -1)
        let widget = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self)
        SignalConnection.connectDecision(UnsafeMutableRawPointer(widget), "close-request") { [weak browser] _ in
            browser?.leaveSignIn()
            return true  // The window closes when the model says so.
        }
        let actions = Actions(widget)
        actions.add("cancel", keys: "Escape") { [weak browser] in browser?.leaveSignIn() }
        ObjectLifetime.tie(actions, to: widget)
        update()
        gtk_window_present(window)
    }

    /// Shows the state of the session.
    func update() {
        reason.setText(browser.expiration ?? "")
        outcome.setText(browser.notice.flatMap { $0.isBad ? $0.text : nil } ?? "")
        gtk_widget_set_sensitive(buttons, browser.isChangingUser ? 0 : 1)
        gtk_widget_set_visible(spinner, browser.isChangingUser ? 1 : 0)
        if browser.isChangingUser { gtk_spinner_start(spinner.object) } else { gtk_spinner_stop(spinner.object) }
    }

    /// Closes the window.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        gtk_window_destroy(window)
    }
}
#endif
