import GitHubClient
import Siesta
import SiestaUI
import TerminalKit

/// The whole app but for the terminal: keys in, frames out.
///
/// The model decides where the user is, and loads what there is to see.
@MainActor
final class Browser {
    let model: BrowserModel
    let log = LogPane()
    /// Called when the next frame may differ from the last one.
    var onChange: () -> Void = {}
    /// Called when the user wants to leave.
    var onQuit: () -> Void = {}

    private(set) var isHelpShown = false
    /// The text that the user makes of two descriptions; nil if nobody does.
    private(set) var merged: TextField?
    /// The screens of the models that were on view.
    private var screens: [ObjectIdentifier: any Screen] = [:]

    /// Creates the browser of an app, which has not started.
    init(_ model: BrowserModel) {
        self.model = model
    }

    /// What is on view.
    var screen: any Screen {
        let id = ObjectIdentifier(model.screen)
        if let screen = screens[id] { return screen }
        let history = model.history.past + model.history.future
        screens = screens.filter { _, screen in history.contains { $0 === screen.model } }
        let screen = Self.makeScreen(model.screen)
        screens[id] = screen
        // The status row covers nothing, so it shows at once what there is.
        (model.screen.monitor.status.loadingDelay, model.screen.monitor.status.minimumLoadingTime) = (0, 0)
        return screen
    }

    private static func makeScreen(_ model: any ScreenModel) -> any Screen {
        switch model {
        case let model as SearchModel: SearchScreen(model)
        case let model as AccountModel: AccountScreen(model)
        case let model as StarsModel: StarsScreen(model)
        case let model as ZenModel: ZenScreen(model)
        case let model as ChangesModel: ChangesScreen(model)
        case let model as RepositoryModel: RepositoryScreen(model)
        case let model as FeedModel: FeedScreen(model)
        default: preconditionFailure("a screen for each model")
        }
    }

    /// Shows the first screen.
    func start() {
        log.onChange = { [weak self] in self?.onChange() }
        model.onChange = { [weak self] in self?.onChange() }
        model.onForgettingUser = { [weak self] in self?.log.clear() }
        model.start()
    }

    // MARK: Keys

    /// Takes a key.
    func press(_ key: Key) {
        defer { onChange() }
        model.notice = nil
        if isHelpShown, key != .ctrl("c") { return isHelpShown = false }
        if model.isSignInShown, key != .ctrl("c") { return pressOnSignIn(key) }
        if let question = model.question, key != .ctrl("c") { return pressOnQuestion(key, question.conflict) }
        switch screen.press(key) {
        case .handled: model.watchScreen()
        case .open(let place): model.open(place)
        case .star(let id, let isStarred): model.star(id, isStarred)
        case .follow(let login, let isFollowed): model.follow(login, isFollowed)
        case .describe(let id, let text): model.describe(id, text)
        case .ignored: command(key)
        }
    }

    private func command(_ key: Key) {
        switch key {
        case .ctrl("c"): onQuit()
        case .escape, .left, .backspace: model.goBack()
        case .right: model.goForward()
        case .character(let letter) where !screen.isEditing: command(letter)
        default: break
        }
    }

    private func command(_ letter: Character) {
        switch letter {
        case "q": onQuit()
        case "/": search()
        case "n": model.showMore()
        case "r":
            model.sendChanges()
            model.screen.refresh()
        case "*": if !(screen is StarsScreen) { model.open(.stars) }
        case "c": if !(screen is ChangesScreen) { model.open(.changes) }
        case "z": if !(screen is ZenScreen) { model.open(.zen) }
        case "w": watched.map { model.open(.feed($0)) }
        case "k": model.toggleStreams()
        case "t": model.toggleSignIn()
        case "u": model.switchUser()
        case "x": model.revokeTokens()
        case "o": model.toggleNetwork()
        case "l": log.isShown.toggle()
        case "?": isHelpShown = true
        default:
            if let mood = Backend.Mood(rawValue: letter), !model.backend.isLive { model.adopt(mood) }
        }
    }

    /// The repository on view if a stream can keep it in step; nil otherwise.
    var watched: Repository.ID? { model.backend.hasStream ? (model.screen as? RepositoryModel)?.id : nil }

    private func search() {
        if let search = screen as? SearchScreen { search.edit() } else { model.open(.search("")) }
    }

    private func pressOnQuestion(_ key: Key, _ conflict: GitHubAPI.DescriptionConflict) {
        guard merged == nil else { return pressOnMerged(key) }
        switch key {
        case .character("1"): model.answer(.mine)
        case .character("2"): model.answer(.theirs)
        case .character("3"): merged = TextField("\(conflict.theirs) \(conflict.mine)", limit: RepositoryScreen.limit)
        case .character("q"): onQuit()
        default: break
        }
    }

    private func pressOnMerged(_ key: Key) {
        switch key {
        case .enter: model.answer(.merged(merged.take()?.text ?? ""))
        case .escape: merged = nil
        default: _ = merged?.handle(key)
        }
    }

    private func pressOnSignIn(_ key: Key) {
        guard !model.isChangingUser else { return }
        switch key {
        case .character("q"): onQuit()
        case .character(let letter):
            guard let number = letter.wholeNumberValue, model.users.indices.contains(number - 1) else { return }
            model.signIn(model.users[number - 1])
        case .escape, .left, .backspace: model.leaveSignIn()
        default: break
        }
    }
}
