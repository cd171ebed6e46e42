package import Foundation
package import Siesta
import SiestaStorage

/// The whole app except its user interface: the screens, the way between them, the session, and the server.
///
/// A user interface shows ``screen``, and draws again after each call of ``onChange``.
@MainActor
package final class BrowserModel {
    package let api: GitHubAPI
    package let avatars: AvatarService
    package let backend: Backend
    /// Called when the user interface may differ from what it shows.
    package var onChange: () -> Void = {}
    /// Called with every event that an observer of the app gets.
    package var onEvent: (Resource, ResourceEvent) -> Void = { _, _ in }
    /// Called with the progress of loads.
    package var onProgress: (Resource, Double) -> Void = { _, _ in }
    /// Called when the data of the last user must not be shown any more.
    package var onForgettingUser: () -> Void = {}

    /// The screens that the user has visited.
    package private(set) var history: History<any ScreenModel>
    /// True if the sign-in screen is on view.
    package var isSignInShown = false { didSet { onChange() } }
    /// True while a sign-in or a sign-out is running.
    package internal(set) var isChangingUser = false { didSet { onChange() } }
    /// The number of changes that are not on the disk yet.
    var acceptingCount = 0 { didSet { onChange() } }
    /// The behaviour of the embedded server.
    package private(set) var mood = Backend.Mood.normal { didSet { onChange() } }
    /// The questions that the user must answer before changes can be sent, one after the other.
    var questions: [Question] = [] { didSet { onChange() } }
    /// The outcome of the last action.
    package var notice: Notice? { didSet { onChange() } }
    /// The token of the command line; nil without one, and if the server is the embedded one.
    let token: String?
    /// The switch of the network; nil if the backend is live.
    package let network: SwitchedNetwork?
    private var sessionTask: Task<Void, Never>?

    /// Creates the app at the repositories of an account, with the search to go back to.
    ///
    /// - Parameters:
    ///   - cache: The folder in which responses are kept until the next start; nil to keep none.
    ///   - networking: The networking that sends the requests.
    ///   - wrapping: Returns a networking around the one that it gets, which includes the switch of the network.
    package init(
        backend: Backend, token: String?, login: String? = nil, cache: URL? = nil,
        networking: any NetworkingProviderConvertible = DefaultNetworking(),
        wrapping: (any NetworkingProviderConvertible) -> any NetworkingProviderConvertible = { $0 }
    ) {
        self.backend = backend
        self.token = backend.isLive ? token : nil
        let network = backend.isLive ? nil : SwitchedNetwork(networking)
        self.network = network
        api = GitHubAPI(
            baseURL: backend.baseURL, token: self.token, authorization: backend.authorization, cache: cache,
            networking: wrapping(network ?? networking))
        avatars = AvatarService(networking: network ?? networking)
        if let network { (api.networkStatus, avatars.networkStatus) = (network.status, network.status) }
        let login = login ?? backend.firstLogin
        history = History(SearchModel(api: api, text: login))
        history.open(AccountModel(api: api, login: login))
    }

    /// The question that the user must answer now; nil if there is none.
    package var question: Question? { questions.first }

    /// The screen on view.
    package var screen: any ScreenModel { history.current }

    /// True while a request or a change of the user is running.
    package var isLoading: Bool { isChangingUser || screen.monitor.isLoading }

    /// Shows the first screen.
    package func start() {
        sessionTask = followSession()
        followChanges()
        appear()
    }

    /// Waits until all that is kept for the next start is on the disk.
    package func quit() async {
        sessionTask?.cancel()
        screen.monitor.onChange = {}
        screen.disappear()
        await api.outbox?.close()
        for cache in api.caches { try? await cache.flush() }  // What could not be kept is in the log.
    }

    // MARK: Screens

    /// Opens a new screen.
    package func open(_ place: Place) {
        screen.disappear()
        history.open(makeScreen(place))
        appear()
    }

    /// Goes back to the screen before, if there is one.
    package func goBack() {
        move { $0.goBack() }
    }

    /// Goes to the screen from which ``goBack()`` was called, if there is one.
    package func goForward() {
        move { $0.goForward() }
    }

    /// Observes the resources that the screen has now.
    package func watchScreen() {
        screen.monitor.watch(screen.resources)
    }

    private func makeScreen(_ place: Place) -> any ScreenModel {
        switch place {
        case .search(let text): SearchModel(api: api, text: text)
        case .account(let login): AccountModel(api: api, login: login)
        case .stars: StarsModel(api: api)
        case .zen: ZenModel(api: api)
        case .changes: ChangesModel(api: api)
        case .repository(let id): RepositoryModel(api: api, id: id)
        case .feed(let id): FeedModel(api: api, id: id)
        }
    }

    private func move(_ step: (inout History<any ScreenModel>) -> Bool) {
        let before = screen
        guard step(&history) else { return }
        before.disappear()
        appear()
    }

    private func appear() {
        let screen = screen
        screen.monitor.onEvent = { [weak self] in
            if $1 == .error { self?.notice = nil }
            self?.onEvent($0, $1)
        }
        screen.monitor.onProgress = { [weak self] in self?.onProgress($0, $1) }
        screen.monitor.onChange = { [weak self, weak screen] in
            guard let self else { return }
            // While the user changes, the screen has disappeared, and nothing is loaded for it.
            if let screen, self.screen === screen, !isChangingUser { watchScreen() }
            onChange()
        }
        screen.appear()
        onChange()
    }

    // MARK: Actions

    /// Loads the next page of the list on view.
    package func showMore() {
        screen.showMore()
        watchScreen()
    }

    /// Makes the embedded server behave differently. The outcome is in ``notice``.
    package func adopt(_ mood: Backend.Mood) {
        guard backend.adopt(mood, after: self.mood) else {
            return notice = Notice("The server cannot be started again", isBad: true)
        }
        self.mood = mood
        if mood == .normal { sendChanges() }
        notice = Notice("The server is \(mood == .limited ? "at its rate limit" : mood.name) now", next: .reload)
    }

    /// Cuts the streams of the embedded server, or permits them again. The outcome is in ``notice``.
    package func toggleStreams() {
        guard let isCut = backend.toggleStreams() else { return }
        notice = Notice(isCut ? "The stream is cut" : "The stream is permitted again")
    }

    /// Switches the network off and on, if the server is the embedded one.
    package func toggleNetwork() {
        network?.status.isConnected.toggle()
        onChange()
    }

    /// Makes all screens forget the last user.
    func forgetUser() {
        for screen in history.past + [history.current] + history.future { screen.forgetUser() }
        onForgettingUser()
    }
}
