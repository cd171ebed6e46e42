import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Resources for previews and screenshots.
@MainActor @Suite(.timeLimit(.test))
struct ResourcePreviewTests {
    private struct User: Equatable, Sendable { var name: String }

    @Test func `A preview is loading at once, and stays so`() async {
        let user = TypedResource<User>.preview(.loading)
        #expect(user.isLoading)
        #expect(user.content == nil)
        #expect(user.error == nil)
        for _ in 0..<10 { await mainQueueTurn() }
        #expect(user.isLoading)
        let again = TypedResource<User>.preview(.loading(showing: User(name: "Ada")))
        #expect(again.isLoading)
        #expect(again.content == User(name: "Ada"))
        user.resource.loadRequests.first?.cancel()
        again.resource.loadRequests.first?.cancel()
        #expect(!user.isLoading)
    }

    @Test func `A preview has its data at once, and no load changes it`() async {
        let user = TypedResource<User>.preview(.data(User(name: "Ada")))
        #expect(user.content == User(name: "Ada"))
        #expect(user.isUpToDate)
        #expect(!user.isLoading)
        #expect(user.resource.loadIfNeeded() == nil)
        await user.resource.load().completion()
        #expect(user.content == User(name: "Ada"))
        #expect(user.error == nil)
        #expect(!user.isLoading)
    }

    @Test func `A preview has its error at once, and no load changes it`() async {
        let user = TypedResource<User>.preview(.error(URLError(.notConnectedToInternet)))
        #expect((user.error?.cause as? URLError)?.code == .notConnectedToInternet)
        #expect(user.content == nil)
        #expect(user.isUpToDate)
        await user.resource.load().completion()
        #expect((user.error?.cause as? URLError)?.code == .notConnectedToInternet)
        let words = TypedResource<User>.preview(.error("The server is being repaired", showing: User(name: "Ada")))
        #expect(words.error?.userMessage == "The server is being repaired")
        #expect(words.content == User(name: "Ada"))
        let known = RequestError(userMessage: "Known", cause: URLError(.badURL))
        #expect(TypedResource<User>.preview(.error(known)).error?.userMessage == "Known")
    }

    @Test func `Previews stay up to date for ever`() {
        let clock = TestClock()
        let states: [ResourcePreview<Any>] = [.data("x"), .error("No"), .error("No", showing: "x")]
        let resources = clock.whileCurrent { states.map { Resource.preview($0) } }
        clock.advance(by: 1_000_000)
        #expect(resources.allSatisfy { $0.isUpToDate && $0.loadIfNeeded() == nil })
    }

    @Test func `An empty preview, and previews of untyped resources`() {
        let empty = Resource.preview(.empty)
        #expect(empty.latestData == nil)
        #expect(empty.latestError == nil)
        #expect(!empty.isLoading)
        #expect(Resource.preview(.data(["name": "Ada"])).jsonDict["name"] as? String == "Ada")
    }

    @Test func `Previews are independent, and a preview that does not load is released`() {
        #expect(Resource.preview(.empty) !== Resource.preview(.empty))
        weak var resource: Resource?
        do {
            let preview = Resource.preview(.data("x"))
            resource = preview
            #expect(preview.text == "x")
        }
        #expect(resource == nil)
    }
}
