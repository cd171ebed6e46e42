import EmbeddedGitHub
import Siesta
import TestKit
import Testing

@testable import GitHubClient

/// Most of the model is played by the scripts of the user interfaces.
@Suite("The model of the app", .timeLimit(.test))
@MainActor
struct BrowserModelTests {
    private let server: EmbeddedGitHub
    private let model: BrowserModel

    init() throws {
        server = try EmbeddedGitHub()
        model = BrowserModel(backend: .embedded(server), token: nil)
        model.start()
    }

    @Test("begins at an account, with a search to go back to")
    func places() {
        #expect(model.screen.crumbs == ["lanternworks"])
        model.open(.stars)
        #expect(model.screen is StarsModel)
        #expect(model.history.past.count == 2)
        model.goBack()
        model.goBack()
        #expect(model.screen is SearchModel)
        #expect(model.history.past.isEmpty)
        model.goForward()
        #expect(model.screen.crumbs == ["lanternworks"])
    }

    @Test("observes the screen on view, and no other")
    func observation() {
        let account = model.screen
        #expect(!account.monitor.resources.isEmpty)
        model.open(.search("otter"))
        #expect(account.monitor.resources.isEmpty)
        #expect(!model.screen.monitor.resources.isEmpty)
    }

    @Test("tells user interfaces of changes without a request")
    func changes() {
        var count = 0
        model.onChange = { count += 1 }
        model.toggleNetwork()
        #expect(count == 1)
        #expect(!model.api.networkStatus.isConnected)
        #expect(!model.avatars.networkStatus.isConnected)
        model.notice = Notice("Done")
        model.isSignInShown = true
        #expect(count == 3)
    }

    @Test("keeps broken avatars when the server changes its mood, and starts it again after it was gone")
    func moods() {
        server.behaviour.avatarFaults = ["old-rope": .missing]
        for mood in Backend.Mood.allCases + [.normal] {
            model.adopt(mood)
            #expect(model.mood == mood)
            #expect(model.notice?.isBad == false)
            #expect(model.notice?.next == .reload)
        }
        #expect(server.behaviour == EmbeddedGitHub.Behaviour(avatarFaults: ["old-rope": .missing]))
    }

    @Test("cuts the streams until it permits them again, whatever the mood of the server")
    func streams() {
        model.toggleStreams()
        #expect(model.notice?.text == "The stream is cut")
        model.adopt(.slow)
        #expect(server.behaviour.cutsStreams)
        model.toggleStreams()
        #expect(model.notice?.text == "The stream is permitted again")
        #expect(!server.behaviour.cutsStreams)
        #expect(model.backend.hasStream)
        #expect(!Backend.gitHub.hasStream)
    }

    @Test("has a session only of users whom the server knows")
    func session() {
        model.toggleSignIn()
        #expect(model.isSignInShown)
        #expect(model.users == EmbeddedGitHub.logins)
        model.leaveSignIn()
        #expect(!model.isSignInShown)
        #expect(model.expiration == nil)
        #expect(model.userLabel == "anonymous")
        model.revokeTokens()
        #expect(model.notice?.text == "Nobody is signed in")
    }
}
