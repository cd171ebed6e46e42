import Siesta
import Testing

/// The app for Siesta 1.5, unchanged, with the settings of a new Xcode project: everything belongs to the main actor.
@Suite(.timeLimit(.minutes(30)))
struct DefaultIsolationTests {
    @Test("The app loads a book, and its view controller shows it")
    func showsBook() async {
        let network = CannedNetwork()
        network.answer("GET", "/api/books/1", with: .init(body: #"{"title": "Emma", "pages": 474}"#))
        let controller = BookViewController(bookshop: BookshopAPI(networking: network))
        controller.viewDidLoad()
        await withCheckedContinuation { continuation in
            _ = controller.resource?.loadRequests.first?.onCompletion { _ in continuation.resume() }
        }
        #expect(controller.title == "Emma")
    }
}
