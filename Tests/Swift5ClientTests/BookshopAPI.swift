import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The API layer of an app for Siesta 1.5: one subclass of Service, configured in its initializer, and one global
// instance.

let bookshop = BookshopAPI(networking: CannedNetwork())

struct Book: Codable, Equatable {
    var title: String
    var pages: Int
}

class Author {
    var name: String

    init(json: [String: Any]) throws {
        guard let name = json["name"] as? String else { throw MissingKey(key: "name") }
        self.name = name
    }

    init(name: String) {
        self.name = name
    }

    struct MissingKey: Error {
        let key: String
    }
}

class BookshopAPI: Service {
    static let shared = BookshopAPI(networking: CannedNetwork())

    private let jsonDecoder = JSONDecoder()
    private(set) var authToken: String? {
        didSet {
            invalidateConfiguration()
            guard let token = authToken else { return wipeResources() }
            tokenHistory.append(token)
        }
    }
    private(set) var tokenHistory = [String]()
    private(set) var transformedCount = 0
    var loggedOutHandlers: [() -> Void] = []

    init(networking: NetworkingProviderConvertible = URLSessionConfiguration.ephemeral, cache: MemoryCache? = nil) {
        super.init(
            baseURL: "https://bookshop.test/api", standardTransformers: [.text, .json], networking: networking)
        SiestaLog.Category.enabled = []

        configure("**") {
            $0.headers["X-App-Version"] = "1.5"
            $0.headers["Accept"] = "application/json"
            $0.pipeline[.cleanup].add(ErrorMessageExtractor(), contentTypes: ["*/json"])
        }

        configure("**", description: "auth") {
            if let token = self.authToken {
                $0.headers["Authorization"] = "Bearer \(token)"
            }
            $0.decorateRequests {
                self.refreshTokenOnAuthFailure(request: $1)
            }
        }

        configure("/books/*", requestMethods: [.get], description: "books live long") { config in
            config.expirationTime = 3600
            config.retryTime = 5
            if let cache = cache { config.pipeline[.model].cacheUsing(cache) }
        }

        configure(whenURLMatches: { $0.path.hasSuffix("/slow") }) { [weak self] in
            guard self != nil else { return }
            $0.progressReportingInterval = 1
        }

        configureTransformer("/books/*") { [unowned self] in
            try self.jsonDecoder.decode(
                Book.self, from: JSONSerialization.data(withJSONObject: $0.content as [String: Any]))
        }
        configureTransformer("/authors/*", requestMethods: [.get, .put]) { (entity: Entity<[String: Any]>) -> Author? in
            self.transformedCount += 1
            return try Author(json: entity.content)
        }
        configureTransformer("/authors") {
            ($0.content as [[String: Any]]).compactMap { try? Author(json: $0) }
        }
        configureTransformer("/headlines", atStage: .decoding, action: .appendToExisting) { (entity: Entity<Data>) in
            Data(entity.content.reversed())
        }
    }

    // MARK: Authentication

    func logIn(user: String, password: String) -> Request {
        return
            tokenResource
            .request(.post, json: ["user": user, "password": password])
            .onSuccess { self.authToken = $0.jsonDict["token"] as? String }
    }

    func logOut() {
        authToken = nil
        loggedOutHandlers.forEach { $0() }
    }

    var isLoggedIn: Bool { return authToken != nil }

    private func refreshTokenOnAuthFailure(request: Request) -> Request {
        return request.chained {
            guard case .failure(let error) = $0.response, error.httpStatusCode == 401, self.authToken != nil else {
                return .useThisResponse
            }
            return .passTo(
                self.createAuthToken().chained {
                    if case .failure = $0.response {
                        return .useThisResponse
                    } else {
                        return .passTo(request.repeated())
                    }
                })
        }
    }

    private func createAuthToken() -> Request {
        return
            tokenResource
            .request(.put, json: ["token": authToken ?? ""])
            .onSuccess { self.authToken = $0.jsonDict["token"] as? String }
    }

    // MARK: Endpoints

    private var tokenResource: Resource { return resource("/token") }
    var books: Resource { return resource("/books") }
    lazy var authors = self.resource("/authors")

    func book(_ id: Int) -> Resource { return resource("/books").child(String(id)) }
    func author(of book: Resource) -> Resource? {
        return book.optionalRelative(book.jsonDict["author"] as? String)
    }
    func search(_ text: String?) -> Resource {
        return books.withParam("q", text).withParams(["sort": "title", "limit": nil])
    }

    func add(_ book: Book) -> Request {
        return
            books
            .request(.post, json: ["title": book.title, "pages": book.pages])
            .onSuccess { _ in self.books.load() }
    }
}

/// Extracts the message for the user from the server's error bodies.
struct ErrorMessageExtractor: ResponseTransformer {
    func process(_ response: Response) -> Response {
        guard case .failure(var error) = response else { return response }
        error.userMessage = error.jsonDict["message"] as? String ?? error.userMessage
        return logTransformation(.failure(error))
    }
}

/// Counts responses.
class CountingTransformer: ResponseTransformer {
    var count = 0
    var debugDescription: String { return "counter" }

    func process(_ response: Response) -> Response {
        count += 1
        switch response {
        case .success(let entity): return .success(entity)
        case .failure(let error): return .failure(error)
        }
    }
}

extension TypedContentAccessors {
    var book: Book? { return typedContent() }
    var authors: [Author] { return typedContent(ifNone: []) }
    var author: Author { return typedContent(ifNone: BookshopAPI.nobody) }
}

extension BookshopAPI {
    fileprivate static let nobody = Author(name: "nobody")
}

extension PipelineStageKey {
    static let decryption = PipelineStageKey(description: "decryption")
}

extension Request {
    func alertingOnFailure(_ alert: @escaping (String) -> Void) -> Request {
        return onFailure { alert($0.userMessage) }
    }
}

extension Resource {
    func loadedBook(_ callback: @escaping (Book) -> Void) {
        guard let request = loadIfNeeded() else {
            if let book = book { callback(book) }
            return
        }
        request.onSuccess { if let book: Book = $0.typedContent() { callback(book) } }
    }
}
