import Foundation
import Siesta
import SiestaCore
import SiestaLists
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An item of the lists in the tests of their changes.
struct Ticket: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var title: String
    var note: String?

    init(_ id: Int, _ title: String? = nil, note: String? = nil) {
        (self.id, self.title, self.note) = (id, title ?? "Ticket \(id)", note)
    }

    var text: String { #"{"id": \#(id), "title": "\#(title)"}"# }

    /// The response of a server that sends the ticket.
    func answer(_ status: Int = 200, etag: String? = nil) -> StubAnswer {
        .json(text, status: status, headers: etag.map { ["ETag": $0] } ?? [:])
    }
}

/// A service with tickets in pages of two, `/tickets?page=2`, and each ticket at `/tickets/2`.
@MainActor
struct TicketServer {
    let clock = TestClock()
    let network = StubNetwork()
    let service: Service

    init(count: Int = 5, _ configure: (Service) -> Void = { _ in }) {
        let network = network
        service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        }
        for path in ["/tickets", "/mine"] { service.decode(path, as: [Ticket].self, requestMethods: [.get]) }
        service.decode("/tickets/*", as: Ticket.self, requestMethods: [.get])
        configure(service)
        let last = (count + 1) / 2 + 1
        for page in 1...last {
            let rows = (2 * page - 1..<2 * page + 1).filter { $0 <= count }.map { Ticket($0) }
            for path in page == 1 ? ["/tickets", "/tickets?page=1"] : ["/tickets?page=\(page)"] { answer(path, rows) }
        }
    }

    /// Scripts the content of a page.
    func answer(_ path: String, _ tickets: [Ticket]) {
        network.answer(.get, path, with: .json("[\(tickets.map(\.text).joined(separator: ", "))]"))
    }

    /// Returns a list that has loaded this number of pages.
    func list(pages: Int = 2) async throws -> PagedResource<Ticket> {
        let list = PagedResource(service.resource("/tickets", as: [Ticket].self), next: .pageNumber(size: 2))
        for _ in 0..<pages { try await list.loadNext() }
        return list
    }

    /// Returns a list of other pages that has loaded them.
    func mine(_ tickets: [Ticket]) async throws -> PagedResource<Ticket> {
        answer("/mine", tickets)
        let list = PagedResource(service.resource("/mine", as: [Ticket].self), next: .link)
        try await list.loadNext()
        return list
    }

    func ticket(_ id: Int) -> TypedResource<Ticket> { service.resource("/tickets/\(id)").typed() }

    func loadedTicket(_ id: Int, etag: String = "\"1\"") async throws -> TypedResource<Ticket> {
        network.answer(.get, "/tickets/\(id)", with: Ticket(id).answer(etag: etag))
        let ticket = ticket(id)
        try await ticket.get(.always)
        return ticket
    }

    /// The requests that change something.
    var writes: [StubExchange] { network.exchanges.filter { $0.request.httpMethod != "GET" } }

    /// The last request that changes something, as method, path and body.
    var lastWrite: String? {
        writes.last.map { exchange in
            let body = String(decoding: exchange.request.httpBody ?? Data(), as: UTF8.self)
            return "\(exchange.request.httpMethod ?? "") \(exchange.request.url?.path ?? "") \(body)"
        }
    }
}

extension PagedResource<Ticket> {
    var ids: [Int] { items.map(\.id) }
    var titles: [String] { items.map(\.title) }
}
