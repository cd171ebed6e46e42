import Foundation
import Siesta
import XCTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The operations of an app for Siesta 1.5, in synchronous tests that run the main run loop while they wait.
class BookshopTests: XCTestCase {
    private var network: CannedNetwork!
    private var bookshop: BookshopAPI!

    override func setUp() {
        super.setUp()
        network = CannedNetwork()
        bookshop = BookshopAPI(networking: network)
        network.answer("GET", "/api/books/1", with: .init(body: #"{"title": "Emma", "pages": 474}"#))
        network.answer("POST", "/api/token", with: .init(body: #"{"token": "old"}"#))
        network.answer("PUT", "/api/token", with: .init(body: #"{"token": "new"}"#))
    }

    override func tearDown() {
        network = nil
        bookshop = nil
        super.tearDown()
    }

    private func wait(for request: Request?, file: StaticString = #filePath, line: UInt = #line) {
        guard let request = request else { return XCTFail("There is no request", file: file, line: line) }
        let done = expectation(description: "request is completed")
        request.onCompletion { _ in
            XCTAssertTrue(Thread.isMainThread, file: file, line: line)
            done.fulfill()
        }
        wait(for: [done], timeout: 30)
    }

    private func turnMainQueue() {
        let turned = expectation(description: "main queue has turned")
        DispatchQueue.main.async { turned.fulfill() }
        wait(for: [turned], timeout: 30)
    }

    // MARK: View controllers

    func testAViewControllerShowsItsResource() {
        let controller = BookViewController(bookshop: bookshop)
        controller.viewDidLoad()
        XCTAssertEqual(controller.events, ["observerAdded", "closure observerAdded", "requested", "closure requested"])
        wait(for: controller.resource?.loadRequests.first)
        XCTAssertEqual(controller.title, "Emma")
        XCTAssertEqual(controller.events.suffix(2), ["newData(network)", "closure newData(network)"])
        XCTAssertEqual(controller.progress.last, 1)
        XCTAssertNil(controller.resource?.loadIfNeeded())
    }

    func testChangingTheResourceEndsTheObservationAndTheLoad() {
        network.isHolding = true
        let controller = BookViewController(bookshop: bookshop)
        controller.viewDidLoad()
        let first = bookshop.book(1)
        controller.resource = bookshop.book(2)
        XCTAssertEqual(controller.stoppedCount, 1)
        wait(for: first.loadRequests.first)
        XCTAssertFalse(first.isLoading)
        XCTAssertTrue(bookshop.book(2).isLoading)
    }

    func testARefreshTellsTheControllerOfAFailure() {
        network.answer("GET", "/api/books/1", with: .init(status: 500, body: #"{"message": "The shop is closed"}"#))
        let controller = BookViewController(bookshop: bookshop)
        controller.viewDidLoad()
        controller.refresh()
        wait(for: controller.resource?.loadRequests.last)
        XCTAssertEqual(controller.errorMessage, "The shop is closed")
        XCTAssertTrue(controller.events.contains("refresh ended"))
        XCTAssertEqual(controller.resource?.latestError?.httpStatusCode, 500)
    }

    func testAControllerThatIsGoneIsNotKept() {
        weak var weakController: BookViewController?
        let resource = bookshop.book(1)
        do {
            let controller = BookViewController(bookshop: bookshop)
            controller.resource = resource
            weakController = controller
            wait(for: resource.loadRequests.first)
        }
        XCTAssertNil(weakController)
        resource.overrideLocalContent(with: Book(title: "Persuasion", pages: 249))
        XCTAssertEqual(resource.book?.title, "Persuasion")
    }

    func testAnOverlayWatchesSeveralResources() {
        let overlay = StatusOverlay()
        overlay.embed(in: self, for: [bookshop.book(1), bookshop.author(of: bookshop.book(1)) ?? bookshop.books])
        let load = bookshop.book(1).load()
        XCTAssertTrue(overlay.isSpinning)
        wait(for: load)
        XCTAssertFalse(overlay.isSpinning)
        overlay.resources.forEach { $0.removeObservers(ownedBy: self) }
    }

    func testValuesAndClosuresObserve() {
        var lines: [String] = []
        let tally = Tally()
        var owner: NSObject? = NSObject()
        let resource = bookshop.book(1)
        resource
            .addObserver(EventPrinter(prefix: "a", print: { lines.append($0) }), owner: owner!)
            .addObserver(EventPrinter(prefix: "a", print: { lines.append($0) }), owner: owner!)
            .addObserver(NamedObserver(name: "n", heard: tally), owner: owner!)
            .addObserver(NamedObserver(name: "n", heard: tally), owner: owner!)
        resource.invalidate()
        resource.overrideLocalContent(with: "x")
        XCTAssertEqual(
            lines, ["a observerAdded", "a observerAdded", "a newData(localOverride)", "a newData(localOverride)"])
        XCTAssertEqual(tally.count, 2)
        owner = nil
        resource.overrideLocalContent(with: "y")
        XCTAssertEqual(lines.count, 4)
        XCTAssertEqual(tally.count, 2)
    }

    func testAModelObservesWithAStoredClosure() {
        let shelf = Shelf(bookshop.book(1), bookshop.book(2))
        wait(for: bookshop.book(1).load())
        XCTAssertEqual(shelf.titles, ["Emma"])
    }

    func testAScreenWithABaseClassObserves() {
        let screen = ShopScreen(source: bookshop, owner: self)
        screen.appear()
        let screens: [Screen] = [screen, BaseScreen()]
        wait(for: screen.resource?.loadRequests.first)
        XCTAssertEqual(screens.map { $0.title }, ["Emma", "base"])
        XCTAssertEqual("\(screen)", "shop screen [observerAdded, requested, newData(network)]")
        screen.disappear()
        XCTAssertEqual(screen, screen)
    }

    func testAGenericAdapterObserves() {
        var shown: [Book?] = []
        let adapter = ResourceAdapter<Book>(bookshop.book(1)) { shown.append($0) }
        if case .idle = LoadState(bookshop.book(1)) {} else { XCTFail("not idle") }
        let load = bookshop.book(1).load()
        if case .loading(let request) = LoadState(bookshop.book(1)) { XCTAssertTrue(request === load) }
        wait(for: load)
        if case .ready(let entity) = LoadState(bookshop.book(1)) { XCTAssertEqual(title(in: entity), "Emma") }
        XCTAssertEqual(shown.last, Book(title: "Emma", pages: 474))
        XCTAssertEqual(adapter.latest, shown.last)
        XCTAssertEqual(title(in: bookshop.book(1)), "Emma")
    }

    // MARK: Requests

    func testHooksRunOnTheMainThreadAndNeverAtOnce() {
        var calls: [String] = []
        let request = bookshop.book(1).load()
            .onCompletion { _ in calls.append("completion") }
            .onSuccess { calls.append($0.book?.title ?? "-") }
            .onNewData { _ in calls.append("new data") }
            .onNotModified { calls.append("not modified") }
            .onFailure { _ in calls.append("failure") }
            .alertingOnFailure { calls.append($0) }
        XCTAssertEqual(calls, [])
        wait(for: request)
        XCTAssertEqual(calls, ["completion", "Emma", "new data"])
        request.onSuccess { _ in calls.append("late") }
        XCTAssertEqual(calls.count, 3)
        turnMainQueue()
        XCTAssertEqual(calls.last, "late")
    }

    func testALoginChangesTheConfiguration() {
        wait(for: bookshop.logIn(user: "jane", password: "secret"))
        XCTAssertTrue(bookshop.isLoggedIn)
        wait(for: bookshop.book(1).load())
        XCTAssertEqual(network.requests.last?.value(forHTTPHeaderField: "Authorization"), "Bearer old")
        XCTAssertEqual(network.requests.last?.value(forHTTPHeaderField: "X-App-Version"), "1.5")
        bookshop.logOut()
        XCTAssertNil(bookshop.book(1).latestData)
        XCTAssertNil(bookshop.book(1).configuration.headers["Authorization"])
    }

    func testAnExpiredTokenIsRenewedAndTheRequestRepeated() {
        wait(for: bookshop.logIn(user: "jane", password: "secret"))
        network.answer(
            "GET", "/api/books/1", with: .init(status: 401), .init(body: #"{"title": "Emma", "pages": 474}"#))
        let resource = bookshop.book(1)
        wait(for: resource.load())
        XCTAssertEqual(resource.book, Book(title: "Emma", pages: 474))
        XCTAssertEqual(bookshop.tokenHistory, ["old", "new"])
        XCTAssertEqual(network.requests.map { $0.httpMethod }, ["POST", "GET", "PUT", "GET"])
        XCTAssertEqual(network.requests.last?.value(forHTTPHeaderField: "Authorization"), "Bearer new")
    }

    func testASuccessfulPostReloadsTheList() {
        network.answer("POST", "/api/books", with: .init(status: 201))
        network.answer("GET", "/api/books", with: .init(body: "[1]"))
        wait(for: bookshop.add(Book(title: "Emma", pages: 474)))
        wait(for: bookshop.books.loadRequests.first)
        XCTAssertEqual(bookshop.books.jsonArray.count, 1)
        let body = network.requests[0].httpBody ?? Data()
        XCTAssertEqual(try JSONDecoder().decode(Book.self, from: body), Book(title: "Emma", pages: 474))
    }

    func testADelegatesRequestLoadsAResource() {
        let resource = bookshop.resource("/echo")
        let request = Resource.prepareRequest(using: EchoDelegate(content: "hello"))
        XCTAssertEqual(request.state, .notStarted)
        wait(for: resource.load(using: request))
        XCTAssertEqual(resource.text, "hello")
        let again = request.repeated()
        XCTAssertEqual(again.state, .notStarted)
        again.start().cancel()
        wait(for: again)
        XCTAssertEqual(resource.text, "hello")
        XCTAssertEqual(EchoDelegate.cancelCount, 1)
    }

    func testADelegateByExtensionFailsARequest() {
        let uploader = Uploader()
        var message: String?
        let request = Resource.prepareRequest(using: uploader).onFailure { message = $0.userMessage }
        wait(for: request.start())
        XCTAssertEqual(message, "disk full")
        XCTAssertEqual(uploader.uploaded.count, 1)
    }

    func testADelegateMayAnswerAtOnce() {
        let response = Response.success(Entity<Any>(content: 7, contentType: "x/y"))
        let resource = bookshop.resource("/seven")
        wait(for: resource.load(using: Resource.prepareRequest(using: ImmediateDelegate(response: response))))
        XCTAssertEqual(resource.typedContent(), 7)
    }

    func testARequestOfTheAppsOwnLoadsAResource() {
        let resource = bookshop.book(1)
        let tracing = TracingRequest(resource.request(.get))
        let returned = resource.load(using: tracing)
        XCTAssertTrue(returned === tracing)
        XCTAssertTrue(resource.loadRequests.contains { $0 === tracing })
        wait(for: returned)
        XCTAssertEqual(resource.book?.pages, 474)
        XCTAssertEqual(tracing.trace, ["start"])
        XCTAssertEqual(tracing.state, .completed)
        network.isHolding = true
        let second = TracingRequest(resource.request(.get))
        resource.load(using: second)
        resource.wipe()
        XCTAssertEqual(second.trace, ["start", "cancel"])
        XCTAssertNil(resource.latestData)
    }

    func testADecoratorMayReturnARequestOfItsOwn() {
        var decorated: [TracingRequest] = []
        bookshop.configure("/books/*") {
            $0.decorateRequests { resource, request in
                let tracing = TracingRequest(request)
                decorated.append(tracing)
                return tracing
            }
        }
        let load = bookshop.book(1).load()
        wait(for: load)
        XCTAssertTrue(load === decorated.first)
        XCTAssertEqual(bookshop.book(1).book?.title, "Emma")
    }

    func testADelayedCancellationFiresWhileTheRunLoopTurns() {
        network.isHolding = true
        let resource = bookshop.book(1)
        let load = resource.load()
        let called = expectation(description: "called back")
        resource.cancelLoadIfUnobserved(afterDelay: 0.01) { called.fulfill() }
        wait(for: [called], timeout: 30)
        XCTAssertEqual(load.state, .completed)
        XCTAssertFalse(resource.isLoading)
    }

    // MARK: Pipeline and caches

    func testTransformersOfTheServiceMakeModels() {
        network.answer("GET", "/api/authors/1", with: .init(body: #"{"name": "Jane"}"#))
        network.answer("GET", "/api/authors", with: .init(body: #"[{"name": "Jane"}, {}]"#))
        wait(for: bookshop.resource("/authors/1").load())
        wait(for: bookshop.authors.load())
        XCTAssertEqual(bookshop.resource("/authors/1").author.name, "Jane")
        XCTAssertEqual(bookshop.resource("/authors/2").author.name, "nobody")
        XCTAssertEqual(bookshop.authors.authors.map { $0.name }, ["Jane"])
        XCTAssertEqual(bookshop.transformedCount, 1)
    }

    func testAnAppsErrorIsTheCauseOfAParsingFailure() {
        network.answer("GET", "/api/authors/1", with: .init(body: "{}"))
        wait(for: bookshop.resource("/authors/1").load())
        let error = bookshop.resource("/authors/1").latestError
        XCTAssertEqual((error?.cause as? Author.MissingKey)?.key, "name")
    }

    func testATransformerWithStateCounts() {
        let counter = CountingTransformer()
        bookshop.configure("/books/*") { $0.pipeline[.rawData].add(counter) }
        wait(for: bookshop.book(1).load())
        wait(for: bookshop.book(1).load())
        XCTAssertEqual(counter.count, 2)
    }

    func testACacheOutlivesTheService() {
        let cache = MemoryCache()
        let written = expectation(description: "written")
        cache.onWrite = { written.fulfill() }
        BookshopAPI(networking: network, cache: cache).book(1).load()
        wait(for: [written], timeout: 30)
        let other = BookshopAPI(networking: CannedNetwork(), cache: cache)
        let seen = expectation(description: "data from the cache")
        other.book(1).addObserver(owner: self) { resource, event in
            if case .newData(.cache) = event { seen.fulfill() }
        }
        wait(for: [seen], timeout: 30)
        XCTAssertEqual(other.book(1).book?.title, "Emma")
        XCTAssertNil(other.book(1).loadIfNeeded())
        other.book(1).removeObservers(ownedBy: self)
    }

    func testACacheKeyMayDependOnTheUser() {
        let store = MemoryCache()
        var user: String?
        bookshop.configure("/books/*") { $0.pipeline[.model].cacheUsing(UserCache(store: store, userName: { user })) }
        let written = expectation(description: "written")
        store.onWrite = { written.fulfill() }
        wait(for: bookshop.book(1).load())
        user = "jane"
        bookshop.book(1).load()
        wait(for: [written], timeout: 30)
        XCTAssertEqual(Array(store.entries.keys), ["janehttps://bookshop.test/api/books/1"])
    }

    // MARK: Providers

    func testAProviderMayWrapAnother() {
        let counting = CountingNetwork(StampingNetwork(network, stamp: "s"))
        let service = Service(baseURL: "https://bookshop.test/api", networking: counting)
        wait(for: service.resource("/books/1").load())
        wait(for: service.resource("/books/1").request(.post, json: ["a": 1]))
        XCTAssertEqual(service.resource("/books/1").jsonDict["title"] as? String, "Emma")
        XCTAssertEqual(network.requests.map { $0.value(forHTTPHeaderField: "X-Stamp") }, ["s", "s"])
        XCTAssertEqual(counting.answered, 1)
    }

    func testAProviderMayBeMadeBySomethingElse() {
        let choice = NetworkChoice()
        choice.canned = network
        let service = Service(baseURL: "https://bookshop.test/api", networking: choice)
        wait(for: service.resource("/books/1").load())
        XCTAssertEqual(network.requests.count, 1)
    }

    func testAnErrorOfTheProviderIsTheCause() {
        network.answer("GET", "/api/books/1", with: .init(error: DiskFull()))
        wait(for: bookshop.book(1).load())
        XCTAssertTrue(bookshop.book(1).latestError?.cause is DiskFull)
    }

    func testARequestToNowhereFailsThroughURLSession() {
        let service = Service(baseURL: "http://127.0.0.1:1")
        wait(for: service.resource("/x").load())
        XCTAssertTrue(service.resource("/x").latestError?.cause is URLError)
    }

    // MARK: Globals

    func testGlobalAndStaticServicesAreThere() {
        XCTAssertTrue(BookshopAPI.shared === BookshopAPI.shared)
        XCTAssertEqual(Siesta5.bookshop.search("x").url.query, "q=x&sort=title")
        XCTAssertEqual(bookshop.description(of: bookshop.book(1)), "Resource(…/books/1)[]")
    }

    func testValuesOfSiestaStandBehindProtocols() throws {
        let existentials = Existentials(bookshop, try NSRegularExpression(pattern: "x$"))
        let url = bookshop.resource("/x").url
        XCTAssertEqual(existentials.patterns.map { $0.configurationPattern(for: bookshop)(url) }, [true, true, true])
        XCTAssertEqual(existentials.urls.compactMap { $0.url?.host }, ["h.test", "bookshop.test"])
        XCTAssertEqual(existentials.described.map { $0.description }, ["Resource(…/x)[]", "get", "requested", "wipe"])
        XCTAssertEqual(existentials.hashed.count, 3)
        XCTAssertEqual(existentials.byResource.count, 2)
        let success = Response.success(Entity<Any>(content: "x", contentType: "text/plain"))
        XCTAssertEqual(try existentials.outcome(of: success), "x")
    }
}

private enum Siesta5 {
    static let bookshop = Swift5ClientTests.bookshop
}

extension Service {
    fileprivate func description(of resource: Resource) -> String { return "\(resource)" }
}
