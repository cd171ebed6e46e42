import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting

@testable import SiestaLists

/// A random sequence of operations on a list in pages, whose server inserts and deletes rows between them. After each
/// operation, the list is compared with the promise of the operation.
@MainActor
final class PagedResourceModel {
    let seed: UInt64
    var mismatch: String?
    private(set) var counts: [String: Int] = [:]
    private var generator: SeededGenerator
    private let server: PagedServer
    private let list: PagedResource<Int>
    private let start: Int
    private var nextRow = 1000
    private var steps: [String] = []

    init(seed: UInt64) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        server = PagedServer((0..<Int(8 + generator.next() % 12)).map { $0 }, size: 2 + Int(generator.next() % 3))
        let isMiddle = generator.next() % 4 == 0
        start = isMiddle ? 3 : 1
        let link: PageLink<Data> = generator.next() % 2 == 0 ? .link : .pageNumber()
        let maxPages = generator.next() % 4 == 0 ? Int(2 + generator.next() % 2) : nil
        list = server.list(server.page(start), next: link, maxPages: maxPages)
        steps.append("start \(start), size \(server.size), max \(maxPages ?? 0)")
    }

    func run() async {
        for _ in 0..<12 where mismatch == nil { await step() }
        guard mismatch == nil else { return }
        server.requestsBeforeFailure = nil
        steps.append("last:")
        await reloadAll()
    }

    private func random(_ limit: Int) -> Int { Int(generator.next() % UInt64(max(limit, 1))) }

    private func fail(_ message: String) {
        guard mismatch == nil else { return }
        mismatch = """
            seed \(seed): \(message)
            list: \(list.items), pages \(list.pageNumbers.map { "\($0): \(content(ofPage: $0))" })
            server: \(server.rows)
            after: \(steps.joined(separator: ", "))
            """
    }

    private func content(ofPage number: Int) -> [Int] {
        server.page(number).content.map(PagedServer.rows) ?? []
    }

    // MARK: Steps

    private func step() async {
        let kind = random(16)
        if random(8) == 0 {
            server.requestsBeforeFailure = random(3)
            steps.append("failure after \(server.requestsBeforeFailure ?? 0)")
        }
        switch kind {
        case 0...2: insert()
        case 3, 4: delete()
        case 5...8: await grow("next") { () throws(RequestError) in try await self.list.loadNext() }
        case 9: await grow("previous") { () throws(RequestError) in try await self.list.loadPrevious() }
        case 10, 11: await reloadAll()
        case 12, 13: await reloadFirst()
        case 14: await reloadVisible()
        default: await growTogether()
        }
        checkAlways()
    }

    private func insert() {
        for _ in 0..<1 + random(3) {
            let position = random(3) == 0 ? 0 : random(server.rows.count + 1)
            nextRow += 1
            server.rows.insert(nextRow, at: position)
            steps.append("+\(nextRow)@\(position)")
        }
    }

    private func delete() {
        for _ in 0..<1 + random(3) where !server.rows.isEmpty {
            steps.append("-\(server.rows.remove(at: random(server.rows.count)))")
        }
    }

    /// Runs an operation. Returns false if a page failed.
    private func succeeds(_ name: String, _ operation: () async throws(RequestError) -> Void) async -> Bool {
        steps.append(name)
        counts[name, default: 0] += 1
        do throws(RequestError) {
            try await operation()
            return true
        } catch {
            steps.append("failed")
            counts["failed", default: 0] += 1
            if error.httpStatusCode != 500 { fail("another error: \(error)") }
            // New content of another page may have ended the list before the page that failed.
            let isPart = (list.resources + [list.top]).contains { $0.url == error.requestURL }
            if list.error?.requestURL != error.requestURL, isPart {
                fail("the error names \(String(describing: list.error?.requestURL))")
            }
            return false
        }
    }

    private func grow(_ name: String, _ operation: () async throws(RequestError) -> Void) async {
        let (before, pages) = (list.items, list.pages.count)
        let isOK = await succeeds(name, operation)
        if !isOK, list.items != before { fail("a failed page has changed the items") }
        checkGrowth(from: before, pages)
    }

    private func checkGrowth(from before: [Int], _ pages: Int) {
        if list.pages.count > pages + 1 { fail("more than one page was added") }
        guard list.pages.count > pages || list.maxPages == nil else { return }
        let missing = Set(before).subtracting(list.items)
        if !missing.isEmpty { fail("lost while growing: \(missing.sorted())") }
    }

    private func growTogether() async {
        steps.append("three at once")
        let (before, pages) = (list.items, list.pages.count)
        let isInMemory = list.target(.next)?.state.hasData ?? false
        let calls = (0..<3).map { _ in Task.immediate { try? await self.list.loadNext() } }
        for call in calls { await call.value }
        if !isInMemory { checkGrowth(from: before, pages) }
    }

    private func reloadAll() async {
        let count = list.pages.count
        guard await succeeds("all", { () throws(RequestError) in try await self.list.reload(.all) }) else { return }
        let first = list.pageNumbers[0]
        if list.items != server.rows(from: first, pages: list.pages.count) { fail("not the rows of the server") }
        let rest = server.rows.count - (first - 1 + list.pages.count) * server.size
        if list.pages.count < count, rest > 0 { fail("pages were lost") }
    }

    private func reloadFirst() async {
        let top = PagedServer.number("page", of: list.top.url) ?? 1
        // The items of the first page, and those that have moved from it to a later page.
        let (before, first) = (list.items, list.list.slots[0])
        let old = (first.items ?? []) + first.tail
        let begins = list.list.slots[0].key === list.top && !list.list.isEmpty
        guard await succeeds("first", { () throws(RequestError) in try await self.list.reload(.firstThenMerge) }) else {
            return
        }
        let new = server.rows(from: top)
        if Array(list.items.prefix(new.count)) != new { fail("the list does not begin with the first page") }
        let isEnd = top * server.size >= server.rows.count && list.pages.count == 1
        if new.isEmpty, old.isEmpty { return }  // The first page has not changed.
        guard begins, !isEnd, !Set(new).isDisjoint(with: old) else {
            if begins, list.pages.count > 1 { fail("the list may have a gap") }
            return
        }
        if list.pages.count == 1 { return }
        counts["merged", default: 0] += 1
        let firstIndex = new.first.flatMap(server.rows.firstIndex) ?? 0
        let lost = Set(before).subtracting(list.items).filter { row in
            server.rows.firstIndex(of: row).map { $0 >= firstIndex } ?? false
        }
        if !lost.isEmpty { fail("lost by the merge: \(lost.sorted())") }
    }

    private func reloadVisible() async {
        let start = random(list.items.count)
        list.visibleItems = start..<min(start + 1 + random(4), list.items.count + 1)
        let visible = list.visiblePages
        guard await succeeds("visible", { () throws(RequestError) in try await self.list.reload(.visible) }) else {
            return
        }
        for page in visible where list.pages.contains(page) {
            let number = PagedServer.number("page", of: page.url) ?? 1
            if content(ofPage: number) != server.rows(from: number) { fail("page \(number) was not loaded") }
        }
    }

    // MARK: Checks

    private func checkAlways() {
        let items = list.items
        if Set(items).count != items.count { fail("a row is in the list twice") }
        for number in list.pageNumbers {
            let missing = Set(content(ofPage: number)).subtracting(items).intersection(server.rows)
            if !missing.isEmpty { fail("rows of page \(number) are missing: \(missing.sorted())") }
        }
        if list.pages.count > list.maxPages ?? .max { fail("too many pages") }
        if list.isLoading || list.isLoadingNext || list.isLoadingPrevious { fail("a load has not ended") }
        if list.total == nil, !items.isEmpty { fail("no total") }
        if Set(list.pageNumbers).count != list.pages.count { fail("a page is in the list twice") }
    }
}
