#if GTK
import CGTK
import Dispatch
import Foundation
import GitHubClient
import SiestaGTK

/// The window of the browser: a header bar with the search, the page on view, and a row with the outcome of actions.
///
/// It shows the state of the ``BrowserModel``, and calls it. Each page shows the state of its own model.
@MainActor
final class DesktopWindow {
    let browser: BrowserModel
    let window: UnsafeMutablePointer<GtkWindow>
    let actions: Actions
    /// The entry for the text of the search.
    let entry: WidgetPointer = gtk_search_entry_new()
    let stack: WidgetPointer = gtk_stack_new()
    let footer = WindowFooter()
    let header: WindowHeader
    private var pages: [ObjectIdentifier: any Page] = [:]
    private var dialog: SignInDialog?
    private var isUpdateDue = false
    /// True after the window was destroyed. Its widgets must not be used any more.
    private(set) var isClosed = false
    /// True while the app itself sets the text of the entry.
    var isSettingText = false
    /// Called when the window has closed.
    var onClose: () -> Void = {}

    init(_ browser: BrowserModel) {
        self.browser = browser
        window = UnsafeMutableRawPointer(gtk_window_new()!).assumingMemoryBound(to: GtkWindow.self)
        let widget = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self)
        actions = Actions(widget)
        header = WindowHeader(entry, isLive: browser.backend.isLive)
        gtk_window_set_title(window, "GitHub")
        gtk_window_set_default_size(window, 720, 640)
        gtk_window_set_titlebar(window, header.widget)
        gtk_widget_set_vexpand(stack, 1)
        gtk_window_set_child(window, .column([stack, footer.widget]))
        addActions()
        connectEntry()
        SignalConnection.connect(widget, "destroy") { [weak self] _ in self?.close() }
        browser.onChange = { [weak self] in self?.updateSoon() }
    }

    var widget: WidgetPointer { UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self) }

    /// Shows the window and the first page.
    func present() {
        browser.start()
        update()
        gtk_window_present(window)
        focusPage()
    }

    private func close() {
        guard !isClosed else { return }
        isClosed = true
        browser.onChange = {}
        pages = [:]
        onClose()
    }

    /// The page on view.
    var page: any Page {
        let id = ObjectIdentifier(browser.screen)
        if let page = pages[id] { return page }
        let page = makePage(browser.screen)
        pages[id] = page
        gtk_stack_add_child(stack.object, page.widget)
        return page
    }

    /// Gives the focus to the content of the page.
    func focusPage() {
        if let widget = page.focusWidget { gtk_widget_grab_focus(widget) }
    }

    private func makePage(_ model: any ScreenModel) -> any Page {
        switch model {
        case let model as SearchModel: SearchPage(model, browser)
        case let model as AccountModel: AccountPage(model, browser)
        case let model as StarsModel: StarsPage(model, browser)
        case let model as RepositoryModel: RepositoryPage(model, browser)
        case let model as FeedModel: FeedPage(model)
        default: preconditionFailure("a page for each model")
        }
    }

    /// The widget of the sign-in dialog; nil while there is none.
    var signInWidget: WidgetPointer? {
        dialog.map { UnsafeMutableRawPointer($0.window).assumingMemoryBound(to: GtkWidget.self) }
    }

    // MARK: Updating

    /// Updates once in a turn of the main queue, however much has changed.
    private func updateSoon() {
        guard !isUpdateDue else { return }
        isUpdateDue = true
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                self.isUpdateDue = false
                self.update()
            }
        }
    }

    private func update() {
        guard !isClosed else { return }
        let page = page
        page.update()
        if gtk_stack_get_visible_child(stack.object) != page.widget {
            gtk_stack_set_visible_child(stack.object, page.widget)
            removeForgottenPages()
            showText(of: page.model)
            if !isTyping { focusPage() }
        }
        footer.show(browser)
        header.show(browser)
        updateActions()
        updateDialog()
    }

    /// Removes the pages whose models have left the history.
    private func removeForgottenPages() {
        let models = browser.history.past + [browser.history.current] + browser.history.future
        for (id, page) in pages where !models.contains(where: { $0 === page.model }) {
            pages[id] = nil
            gtk_stack_remove(stack.object, page.widget)
        }
    }

    private func updateDialog() {
        guard browser.isSignInShown else {
            dialog?.close()
            return dialog = nil
        }
        let dialog = dialog ?? SignInDialog(browser, over: window)
        self.dialog = dialog
        dialog.update()
    }
}
#endif
