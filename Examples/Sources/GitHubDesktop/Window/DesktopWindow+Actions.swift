#if GTK
import CGTK
import GitHubClient
import Siesta
import SiestaGTK

/// What a user can do, by a button, a menu or a key.
extension DesktopWindow {
    func addActions() {
        actions.add("search", keys: "<Control>f", "<Control>k") { [weak self] in self?.focusEntry() }
        actions.add("back", keys: "<Alt>Left", "Escape") { [weak self] in self?.browser.goBack() }
        actions.add("forward", keys: "<Alt>Right") { [weak self] in self?.browser.goForward() }
        actions.add("reload", keys: "<Control>r", "F5") { [weak self] in self?.browser.screen.refresh() }
        actions.add("stars", keys: "<Control>b") { [weak self] in self?.openStars() }
        actions.add("star", keys: "<Control>d") { [weak self] in self?.toggleStar() }
        actions.add("watch") { [weak self] in self?.watch() }
        actions.add("session", keys: "<Control>l") { [weak self] in self?.browser.toggleSignIn() }
        actions.add("user") { [weak self] in self?.browser.switchUser() }
        actions.add("revoke") { [weak self] in self?.browser.revokeTokens() }
        actions.add("quit", keys: "<Control>q") { [weak self] in
            if let self { gtk_window_close(window) }
        }
        actions.addChoice("mood", value: Backend.Mood.normal.name) { [weak self] name in
            if let mood = Backend.Mood.allCases.first(where: { $0.name == name }) { self?.browser.adopt(mood) }
        }
        actions.addToggle("offline") { [weak self] _ in self?.browser.toggleNetwork() }
        actions.addToggle("cut") { [weak self] _ in self?.browser.toggleStreams() }
        actions.addToggle("dark") { Appearance.isDark = $0 }
        actions.addToggle("contrast") { Appearance.hasHighContrast = $0 }
        actions.setValue("dark", Appearance.isDark)
        actions.setValue("contrast", Appearance.hasHighContrast)
    }

    /// Makes the actions fit the state of the browser.
    func updateActions() {
        actions.setEnabled("back", !browser.history.past.isEmpty)
        actions.setEnabled("forward", !browser.history.future.isEmpty)
        actions.setEnabled("star", browser.screen is RepositoryModel)
        actions.setEnabled("watch", browser.screen is RepositoryModel && browser.backend.hasStream)
        actions.setEnabled("stars", browser.api.principal != nil)
        actions.setEnabled("revoke", browser.api.principal != nil && !browser.backend.isLive)
        actions.setValue("mood", browser.mood.name)
        actions.setValue("offline", !browser.api.networkStatus.isConnected)
    }

    private func openStars() {
        if !(browser.screen is StarsModel) { browser.open(.stars) }
    }

    private func watch() {
        if let repository = browser.screen as? RepositoryModel { browser.open(.feed(repository.id)) }
    }

    private func toggleStar() {
        guard let repository = browser.screen as? RepositoryModel else { return }
        browser.star(repository.id, !repository.isStarred)
    }
}
#endif
