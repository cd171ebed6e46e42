import Siesta

// A screen of an app. The article about tests shows this code.

struct Book: Codable, Sendable {
    let title: String
}

final class LibraryAPI: Service {
    init(networking: any NetworkingProviderConvertible = DefaultNetworking()) {
        super.init(baseURL: "https://library.test", networking: networking)
        configure("/books/*") { $0.expirationTime = 60 }
        decode("/books/*", as: Book.self)
    }

    func book(_ id: Int) -> TypedResource<Book> { resource("/books/\(id)", as: Book.self) }
}

@MainActor
final class BookScreen: ResourceObserver {
    private(set) var title = ""
    private(set) var message: String?
    private(set) var isSpinning = false
    private let book: TypedResource<Book>

    init(_ book: TypedResource<Book>) {
        self.book = book
        book.resource.addObserver(self)
    }

    /// Call this method whenever the screen appears.
    func appear() {
        book.loadIfNeeded()
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        title = book.content?.title ?? ""
        message = book.error?.userMessage
        isSpinning = book.isLoading
        if event == .error { tryAgainLater() }
    }

    private func tryAgainLater() {
        SiestaClock.current.schedule(after: 5) { [weak self] in self?.appear() }
    }
}
