import Foundation
import SiestaCore
import SiestaLists
import SiestaRetrying
import SiestaTesting
import SiestaUI
import TestKit
import Testing
import Waiting

@MainActor @Suite(.timeLimit(.test))
struct PagedListModelTests {
    struct Row: Codable, Identifiable, Hashable, Sendable {
        let id: Int
        var text = ""
    }

    private let network = StubNetwork()
    private let service: Service

    init() {
        service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        service.configureTransformer("/rows") { (entity: Entity<Data>) in
            try JSONDecoder().decode([Row].self, from: entity.content)
        }
    }

    /// Makes the server answer one request for a page of five rows.
    private func answerPage(_ number: Int, text: String = "", isLast: Bool = false) throws {
        let rows = (number * 5..<number * 5 + 5).map { Row(id: $0, text: text) }
        let body = String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
        let link = isLast ? [:] : ["Link": "</rows?page=\(number + 1)>; rel=\"next\""]
        network.answer(.get, path(number), with: .json(body, headers: link))
    }

    private func path(_ number: Int) -> String { number == 0 ? "/rows" : "/rows?page=\(number)" }

    private func model() -> PagedListModel<Row> {
        PagedListModel(PagedResource(service.resource("/rows").typed(), next: .link))
    }

    @Test func `A list grows when a person scrolls to its end`() async throws {
        for page in 0..<3 { try answerPage(page, isLast: page == 2) }
        let model = model()
        model.loadingDistance = 2
        var (rows, seen) = ([Row](), [[ListChange]]())
        model.onChange = { [unowned model] changes in
            if !changes.isEmpty { seen.append(changes) }
            for change in changes {
                rows.replaceSubrange(
                    change.position..<change.position + change.removedCount, with: model.items[change.inserted])
            }
        }
        #expect(model.footer == .none)
        model.appear()
        #expect(model.footer == .loading(nil))
        try await Poll.until { model.items.count == 5 }
        model.showed(2)
        #expect(network.requests.count == 1)
        model.showed(3)
        model.showed(4)
        try await Poll.until { model.items.count == 10 }
        model.showed(9)
        try await Poll.until { model.items.count == 15 }
        #expect(model.footer == .end)
        model.showed(14)
        #expect(network.requests.count == 3)
        #expect(rows == model.items)
        #expect(seen.map { $0.map(\.position) } == [[0], [5], [10]])
    }

    @Test func `After a failure, only a person loads more`() async throws {
        try answerPage(0)
        network.answer(.get, path(1), with: .response(500))
        let model = model()
        model.appear()
        try await Poll.until { model.items.count == 5 }
        model.showed(4)
        try await Poll.until { if case .failure = model.footer { true } else { false } }
        model.showed(4)
        #expect(network.requests.count == 2)
        try answerPage(1, isLast: true)
        model.retry()
        #expect(network.requests.count == 3)
        try await Poll.until { model.items.count == 10 }
        #expect(model.footer == .end)
    }

    @Test func `A page that loads again after a failure shows its load`() async throws {
        try answerPage(0, isLast: true)
        let model = model()
        model.appear()
        try await Poll.until { model.items.count == 5 }
        network.answer(.get, path(0), with: .response(500))
        await service.resource("/rows").load().completion()
        guard case .failure = model.footer else {
            Issue.record("no failure")
            return
        }
        network.answer(.get, path(0), with: .held)
        model.retry()
        #expect(model.footer == .loading(nil))
        service.resource("/rows").cancelLoadIfUnobserved()
        for load in service.resource("/rows").loadRequests { load.cancel() }
        try await Poll.until { if case .failure = model.footer { true } else { false } }
    }

    @Test func `A list whose first page fails can be loaded again`() async throws {
        network.answer(.get, path(0), with: .response(500))
        let model = model()
        model.appear()
        try await Poll.until {
            if case .failure(let message) = model.footer { message.retryTitle == "Retry" } else { false }
        }
        try answerPage(0, isLast: true)
        model.retry()
        try await Poll.until { model.items.count == 5 }
    }

    @Test func `A person can load a page again whose content has another type`() async throws {
        service.resource("/rows").overrideLocalContent(with: "text")
        let model = model()
        model.appear()
        guard case .failure = model.footer else {
            Issue.record("no failure")
            return
        }
        try answerPage(0, isLast: true)
        model.retry()
        try await Poll.until { model.items.count == 5 }
    }

    @Test func `A person can repeat the reload of a first page that has left the list`() async throws {
        for page in 0..<2 { try answerPage(page, isLast: page == 1) }
        let list = PagedResource<Row>(service.resource("/rows").typed(), next: .link, maxPages: 1)
        let model = PagedListModel(list)
        model.appear()
        try await Poll.until { model.items.count == 5 }
        try await list.loadNext()
        network.answer(.get, path(0), with: .response(500))
        await #expect(throws: RequestError.self) { try await list.reload(.firstThenMerge) }
        guard case .failure = model.footer else {
            Issue.record("no failure")
            return
        }
        try answerPage(0)
        model.retry()
        try await Poll.until { model.items.first?.id == 0 && list.error == nil }
    }

    @Test func `A list that has not appeared yet loses its items with their data`() async throws {
        try answerPage(0, isLast: true)
        let list = PagedResource<Row>(service.resource("/rows").typed(), next: .link)
        try await list.get()
        let model = PagedListModel(list)
        #expect(model.items.count == 5)
        service.wipeResources(includingCaches: true)
        #expect(model.items.isEmpty)
    }

    @Test func `Pages without items are loaded past, because a person cannot scroll`() async throws {
        network.answer(.get, path(0), with: .json("[]", headers: ["Link": "</rows?page=1>; rel=\"next\""]))
        try answerPage(1, isLast: true)
        let model = model()
        model.appear()
        try await Poll.until { model.items.count == 5 }
    }

    @Test func `A server that sends pages without items without end is not asked without end`() async throws {
        for page in 0..<40 {
            let next = "</rows?page=\(page + 1)>; rel=\"next\""
            network.answer(.get, path(page), with: .json("[]", headers: ["Link": next]))
        }
        let model = model()
        model.appear()
        try await Poll.until { network.requests.count == 21 && !model.list.isLoading }
        for _ in 0..<10 { await mainQueueTurn() }
        #expect(network.requests.count == 21)
    }

    @Test func `A list that joins the load of its next page shows that it loads`() async throws {
        try answerPage(0)
        let model = model()
        model.appear()
        try await Poll.until { model.items.count == 5 }
        network.answer(.get, path(1), with: .held)
        service.resource("/rows").withParam("page", "1").load()
        model.showed(4)
        #expect(model.footer == .loading(nil))
    }

    @Test func `Rows that have not changed are not replaced`() async throws {
        try answerPage(0, isLast: true)
        let model = model()
        model.appear()
        try await Poll.until { model.items.count == 5 }
        var seen: [ListChange] = []
        model.onChange = { seen += $0 }
        var rows = model.items
        rows[3].text = "new"
        let page = service.resource("/rows")
        page.overrideLocalContent(with: rows)
        #expect(seen == [ListChange(position: 3, removedCount: 1, inserted: 3..<4)])
        page.overrideLocalContent(with: rows)
        #expect(seen.count == 1)
    }

    @Test func `A model that is not visible does not load`() async throws {
        let model = model()
        model.showed(0)
        #expect(network.requests.isEmpty)
        try answerPage(0, isLast: true)
        model.appear()
        model.appear()
        try await Poll.until { model.items.count == 5 }
        model.disappear()
        service.resource("/rows").overrideLocalContent(with: [Row(id: 1)])
        #expect(model.items.count == 5)
        model.appear()
        #expect(model.items.count == 1)
    }

    @Test func `A list off screen keeps its items until their data is wiped`() async throws {
        try answerPage(0, isLast: true)
        let model = model()
        model.appear()
        try await Poll.until { model.items.count == 5 }
        model.disappear()
        #expect(model.items.count == 5)
        #expect(!service.resource("/rows").isObserved)
        var changes: [[ListChange]] = []
        model.onChange = { changes.append($0) }
        service.wipeResources(includingCaches: true)
        #expect(model.items.isEmpty)
        #expect(changes == [[ListChange(position: 0, removedCount: 5, inserted: 0..<0)]])
        model.appear()
        #expect(service.resource("/rows").isObserved)
    }

    @Test func `A list that begins in the middle grows at its begin`() async throws {
        let rows = (5..<10).map { Row(id: $0) }
        let body = String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
        network.answer(.get, path(1), with: .json(body, headers: ["Link": "</rows>; rel=\"prev\""]))
        let first = service.resource("/rows").withParam("page", "1")
        let model = PagedListModel(PagedResource<Row>(first.typed(), next: .link))
        model.loadingDistance = 2
        model.appear()
        try await Poll.until { model.items.count == 5 }
        model.showed(2)
        #expect(network.requests.count == 1)
        try answerPage(0)
        model.showed(1)
        try await Poll.until { model.items.count == 10 }
        #expect(model.items.map(\.id) == Array(0..<10))
    }

    @Test func `A view is told of the footer only when it changes, and may change the list`() async throws {
        try answerPage(0, isLast: true)
        let model = model()
        var (footers, depth) = ([PagedListModel<Row>.Footer](), 0)
        model.onChange = { [unowned model] _ in
            #expect(depth == 0)
            depth += 1
            footers.append(model.footer)
            if footers.count == 2 { model.list.pages[0].overrideLocalContent(with: [Row(id: 1)]) }
            depth -= 1
        }
        model.appear()
        try await Poll.until { model.items.count == 1 }
        #expect(footers == [.loading(nil), .end, .end])
        model.list.pages[0].overrideLocalContent(with: [Row(id: 1)])
        #expect(footers.count == 3)
        model.onChange = nil
    }

    @Test func `A person can end the wait of a page`() async throws {
        service.configure {
            $0.retry = .standard
            $0.retry.firstDelay = 3600
            $0.retry.delayLimit = 3600
        }
        network.answer(.get, path(0), with: .response(503))
        let model = model()
        model.appear()
        let page = model.list.pages[0]
        try await Poll.until { page.retry != nil }
        try answerPage(0, isLast: true)
        model.retry()
        try await Poll.until { model.items.count == 5 }
    }
}
