import Foundation
import Siesta

// An app whose code belongs to the main actor by default, as in a new Xcode project. No declaration names the main actor.

struct Book: Codable, Equatable {
    var title: String
    var pages: Int

    init(title: String, pages: Int) {
        self.title = title
        self.pages = pages
    }

    /// Isolated to the main actor, like every function of the app.
    init(from decoder: any Decoder) throws {
        MainActor.preconditionIsolated()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        pages = try values.decode(Int.self, forKey: .pages)
    }
}

/// A list that is decoded off the main actor. What it contains must be `nonisolated`, too.
nonisolated struct Author: Codable, Equatable {
    var name: String
    var threadIsMain = true

    private enum CodingKeys: CodingKey { case name }

    init(name: String) { self.name = name }

    init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        threadIsMain = Thread.isMainThread
    }
}

struct Caption: Equatable {
    let text: String

    nonisolated init(_ text: String) { self.text = text }
}

let fileLevelLibrary = Library()

final class Library: Siesta.Service {
    static let shared = Library()

    private var token: String? {
        didSet { invalidateConfiguration() }
    }

    init(networking: any NetworkingProviderConvertible = DefaultNetworking()) {
        super.init(baseURL: "https://library.test", networking: networking)
        configure("**") { [unowned self] in
            if let token { $0.headers["Authorization"] = "Bearer \(token)" }
            $0.decorateRequests { [unowned self] in self.renewToken($1) }
        }
        decode("/books/*", as: Book.self)
        decode("/books", as: [Book].self)
        decode("/authors/*", as: Author.self)
        decode("/counted", as: [Book].self) { $0.content.count }
        configureTransformer("/captions/*", atStage: .parsing) { (entity: Entity<Data>) in
            Caption(String(decoding: entity.content, as: UTF8.self))
        }
    }

    func book(_ id: Int) -> TypedResource<Book> { resource("/books/\(id)", as: Book.self) }
    var books: TypedResource<[Book]> { resource("/books", as: [Book].self) }
    func author(_ id: Int) -> TypedResource<Author> { resource("/authors/\(id)", as: Author.self) }

    func add(_ book: Book) -> any Request {
        resource("/books").request(.post, body: .encoded(book)).onSuccess { [unowned self] _ in books.resource.load() }
    }

    func logIn() -> any Request {
        resource("/token").request(.post).onSuccess { [weak self] in self?.token = $0.text }
    }

    private func renewToken(_ request: any Request) -> any Request {
        request.chained { [unowned self] in
            guard case .failure(let error) = $0.response, error.httpStatusCode == 401 else { return .useThisResponse }
            return .passTo(logIn().chained { _ in .passTo(request.repeated()) })
        }
    }
}

/// A screen: an observer, and the owner of closures.
final class BookScreen: ResourceObserver {
    private(set) var title = ""
    private(set) var events: [String] = []
    private(set) var message: String?
    private var updates: Task<Void, Never>?

    func show(_ book: TypedResource<Book>) {
        book.resource.addObserver(self).addObserver(owner: self) { [unowned self] _, event in
            events.append(event.description)
        }
        book.resource.loadIfNeeded()
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        title = resource.typedContent().map { (book: Book) in book.title } ?? ""
        message = resource.latestError?.userMessage
    }

    /// A closure of a task does not find out the type of an error that it catches itself. `do throws` says it.
    func refresh(_ book: TypedResource<Book>) async {
        await Task {
            do throws(RequestError) {
                title = try await book.get(.always).title
            } catch {
                message = error.userMessage
            }
        }.value
    }
}
