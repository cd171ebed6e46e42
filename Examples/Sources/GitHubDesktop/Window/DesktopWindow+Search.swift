#if GTK
import CGTK
import GitHubClient
import SiestaGTK

/// The entry for the search.
extension DesktopWindow {
    /// True if the user is typing into the entry.
    var isTyping: Bool {
        guard let focus = gtk_window_get_focus(window) else { return false }
        return gtk_widget_is_ancestor(focus, entry) != 0
    }

    func connectEntry() {
        cgtk_set_accessible_label(entry, "Search")
        Property.set("placeholder-text", of: UnsafeMutableRawPointer(entry), to: "Search users and organisations")
        SignalConnection.connect(entry, "changed") { [weak self] _ in self?.textChanged() }
        SignalConnection.connect(entry, "activate") { [weak self] _ in self?.leaveEntry() }
        SignalConnection.connect(entry, "stop-search") { [weak self] _ in self?.escape() }
        let keys = gtk_event_controller_key_new()!
        gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
        SignalConnection.connectDecision(UnsafeMutableRawPointer(keys), "key-pressed") { [weak self] arguments in
            guard arguments.integer(at: 1) == Int(GDK_KEY_Down), let self else { return false }
            leaveEntry()
            return true
        }
        gtk_widget_add_controller(entry, keys)
    }

    /// Puts the cursor into the entry, and selects its text.
    func focusEntry() {
        gtk_widget_grab_focus(entry)
        gtk_editable_select_region(entry.object, 0, -1)
    }

    /// Shows the text of a search in the entry. Other pages leave it empty.
    func showText(of model: any ScreenModel) {
        let text = (model as? SearchModel)?.text ?? ""
        guard !isTyping || !(model is SearchModel), String(cString: gtk_editable_get_text(entry.object)) != text else {
            return
        }
        isSettingText = true
        gtk_editable_set_text(entry.object, text)
        isSettingText = false
    }

    /// Searches while the user types. On another page than a search, a new search begins.
    private func textChanged() {
        guard !isSettingText else { return }
        let text = String(cString: gtk_editable_get_text(entry.object))
        if !(browser.screen is SearchModel) {
            guard !text.isEmpty else { return }
            browser.open(.search(""))
        }
        (browser.screen as? SearchModel)?.text = text
    }

    /// Searches at once, and goes to the results.
    private func leaveEntry() {
        (browser.screen as? SearchModel)?.searchNow()
        focusPage()
    }

    /// Leaves the entry; on an empty search, also the page.
    private func escape() {
        if (browser.screen as? SearchModel)?.text.isEmpty == true { browser.goBack() }
        focusPage()
    }
}
#endif
