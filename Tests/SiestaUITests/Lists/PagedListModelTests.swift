import Foundation
import Siesta
import SiestaTesting
import SiestaUI
import Testing
import Waiting

@MainActor @Suite(.timeLimit(.minutes(30)))
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
}
