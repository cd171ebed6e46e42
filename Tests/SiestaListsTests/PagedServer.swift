import Foundation
import SiestaCore
import SiestaLists
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server with a list of numbers in pages, and a service that uses it.
///
/// The body of a page is text: `1,2,3`. `/rows?page=2` is a page by its number, `/rows?offset=4&limit=2` a page by its
/// offset, and `/rows?after=7` the page after the number 7. Each response has an `ETag`, `Link` and `X-Total-Count`.
@MainActor
final class PagedServer {
    let clock = TestClock()
    let network = StubNetwork()
    let service: Service
    let size: Int
    var rows: [Int]
    /// The number of requests that succeed before one fails; nil if no request fails.
    var requestsBeforeFailure: Int?
    /// True if requests wait until the test answers them.
    var isHeld = false
    /// Replaces the `Link` header; nil for the usual header.
    var link: ((_ page: Int) -> String?)?
    /// True if a 304 has no other headers.
    var isTerse = false

    init(_ rows: some Sequence<Int>, size: Int = 3) {
        (self.rows, self.size) = (Array(rows), size)
        let network = network
        service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        }
        service.configure { $0.progressReportingInterval = 1_000_000 }
        network.handler = { [weak self] in
            guard let self, !isHeld else { return .held }
            return answer(to: $0)
        }
    }

    /// The first page.
    var first: TypedResource<Data> { page(1) }

    func page(_ number: Int) -> TypedResource<Data> {
        service.resource("/rows").withParam("page", "\(number)").typed()
    }

    /// Returns a list of the numbers. The identity of a number is the number.
    func list(
        _ first: TypedResource<Data>? = nil, next: PageLink<Data> = .link, previous: PageLink<Data>? = nil,
        maxPages: Int? = nil
    ) -> PagedResource<Int> {
        PagedResource(
            first ?? self.first, items: { Self.rows(in: $0) }, id: { $0 }, next: next, previous: previous,
            total: .header("X-Total-Count"), maxPages: maxPages)
    }

    /// Returns a list that has loaded this number of pages.
    func list(
        pages: Int, _ next: PageLink<Data> = .link, maxPages: Int? = nil
    ) async throws -> PagedResource<Int> {
        let list = list(next: next, maxPages: maxPages)
        for _ in 0..<pages { try await list.loadNext() }
        return list
    }

    /// Lets responses that were given arrive.
    func settle() async {
        for _ in 0..<20 { await mainQueueTurn() }
    }

    /// Answers the requests that wait, and those that follow.
    func answer() async {
        for _ in 0..<10 {
            answerHeldRequests()
            await settle()
        }
        isHeld = false
        answerHeldRequests()
        await settle()
    }

    static func rows(in page: Data) -> [Int] {
        String(decoding: page, as: UTF8.self).split(separator: ",").compactMap { Int($0) }
    }

    /// Returns the rows of pages that begin with page `number`.
    func rows(from number: Int, pages: Int = 1) -> [Int] {
        let start = min((number - 1) * size, rows.count)
        return Array(rows[start..<min(start + pages * size, rows.count)])
    }

    static func number(_ name: String, of url: URL?) -> Int? {
        let items = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }?.queryItems
        return items?.first { $0.name == name }?.value.flatMap { Int($0) }
    }

    /// Returns the answer that the server would give now.
    func answer(to request: URLRequest) -> StubAnswer {
        if let count = requestsBeforeFailure {
            requestsBeforeFailure = count == 0 ? nil : count - 1
            if count == 0 { return .response(500) }
        }
        var page = Self.number("page", of: request.url) ?? 1
        var content = rows(from: page)
        if let offset = Self.number("offset", of: request.url) {
            content = Array(rows.dropFirst(offset).prefix(Self.number("limit", of: request.url) ?? size))
        }
        if let cursor = Self.number("after", of: request.url) {
            let start = (rows.lastIndex { $0 <= cursor } ?? -1) + 1
            content = Array(rows[start...].prefix(size))
            page = start / size + 1
        }
        let body = content.map(String.init).joined(separator: ",")
        var headers = ["ETag": "\"\(body)\"", "X-Total-Count": "\(rows.count)"]
        headers["Link"] = link.map { $0(page) } ?? usualLink(page)
        if request.value(forHTTPHeaderField: "If-None-Match") == "\"\(body)\"" {
            return .response(304, headers: isTerse ? [:] : headers)
        }
        return .response(200, headers: headers, body: Data(body.utf8))
    }

    private func usualLink(_ page: Int) -> String? {
        var links: [String] = []
        if page > 1 { links.append("</rows?page=\(page - 1)>; rel=prev") }
        if page * size < rows.count { links.append("</rows?page=\(page + 1)>; rel=next") }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }

    /// Answers the requests that wait.
    func answerHeldRequests() {
        for exchange in network.exchanges where !exchange.isCompleted {
            exchange.respond(with: answer(to: exchange.request))
        }
    }

    /// The numbers of the requested pages.
    var requestedPages: [Int] { network.requests.map { Self.number("page", of: $0.url) ?? 1 } }
}

extension PagedResource {
    /// The numbers of the pages.
    var pageNumbers: [Int] { pages.map { PagedServer.number("page", of: $0.url) ?? 1 } }
}
