import Siesta
import SiestaTesting
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct LibraryTests {
    private let network = StubNetwork()
    private let library: Library

    init() {
        library = Library(networking: network)
        network.answer(.get, "/books/1", with: .json(#"{"title": "Emma", "pages": 474}"#))
        network.answer(.get, "/books", with: .json(#"[{"title": "Emma", "pages": 474}]"#))
        network.answer(.get, "/counted", with: .json(#"[{"title": "Emma", "pages": 474}]"#))
        network.answer(.get, "/authors/1", with: .json(#"{"name": "Jane"}"#))
        network.answer(.get, "/captions/1", with: .text("Rain"))
    }

    @Test func `A type of the main actor is decoded on the main actor, also inside other types`() async throws {
        #expect(try await library.book(1).get() == Book(title: "Emma", pages: 474))
        #expect(try await library.books.get().count == 1)
        #expect(try await library.resource("/counted", as: Int.self).get() == 1)
    }

    @Test func `A type that is not isolated is decoded off the main actor`() async throws {
        #expect(try await library.author(1).get().threadIsMain == false)
    }

    @Test func `The response to a change is decoded on the main actor only if its type requires it`() async throws {
        network.answer(.put, "/books/1", with: .json(#"{"title": "Emma", "pages": 475}"#))
        network.answer(.put, "/books", with: .json(#"[{"title": "Emma", "pages": 475}]"#))
        network.answer(.put, "/authors/1", with: .json(#"{"name": "Ann"}"#))
        let (book, books, author) = (library.book(1), library.books, library.author(1))
        #expect(try await book.load(using: book.request(.put)).value.content() == Book(title: "Emma", pages: 475))
        #expect(try await books.load(using: books.request(.put)).value.content(as: [Book].self).first?.pages == 475)
        #expect(try await author.load(using: author.request(.put)).value.content(as: Author.self).threadIsMain == false)
        let sent = Book(title: "Emma", pages: 475)
        #expect(try await book.request(.put).value.decoded(as: Book.self) == sent)
        #expect(try await book.request(.put).value.decoded(as: Book.self) == sent)
        #expect(try await author.request(.put).value.decoded(as: Author.self).threadIsMain == false)
    }

    @Test func `A closure off the main actor calls what is not isolated`() async throws {
        #expect(try await library.resource("/captions/1", as: Caption.self).get() == Caption("Rain"))
    }

    @Test func `A content that cannot be decoded on the main actor is an error`() async {
        network.answer(.get, "/books/2", with: .json("{}"))
        await #expect(throws: RequestError.self) { try await library.book(2).get() }
        #expect(library.book(2).resource.latestError?.cause is DecodingError)
    }

    @Test func `A screen shows its book, and the message of an error`() async {
        let screen = BookScreen()
        screen.show(library.book(1))
        await library.book(1).resource.loadIfNeeded()?.completion()
        #expect(screen.title == "Emma")
        #expect(screen.events == ["observerAdded", "requested", "newData(network)"])
        network.answer(.get, "/books/1", with: .response(404))
        await screen.refresh(library.book(1))
        #expect(screen.message == "Not found")
    }

    @Test func `A token is renewed, and the request is repeated with it`() async throws {
        network.answer(.post, "/token", with: .text("new"))
        network.answer(.get, "/books/3", with: .response(401), .json(#"{"title": "Persuasion", "pages": 249}"#))
        #expect(try await library.book(3).get().title == "Persuasion")
        #expect(network.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer new")
    }

    @Test func `The library can be a global, and a static property`() {
        #expect(fileLevelLibrary.baseURL == Library.shared.baseURL)
    }
}
