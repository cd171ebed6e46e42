import CacheTorture
import SiestaCore
import TestKit
import Testing

@testable import SiestaLists

/// The rules of lists in pages, without resources.
@Suite(.timeLimit(.test))
struct PageListTests {
    private func list(_ pages: [Int]..., id: ((Int) -> AnyHashable)? = { $0 }) -> PageList<Int, Int> {
        var list = PageList<Int, Int>(first: 0, id: id)
        list.replace(at: 0, with: pages[0])
        for (key, page) in pages.enumerated().dropFirst() { list.append(key, page) }
        return list
    }

    @Test(arguments: [0, 1, 2])
    func `New content with the same identities takes the place of the old content`(_ page: Int) {
        var list = PageList<Int, Int>(first: 0) { $0 % 10 }
        list.replace(at: 0, with: [1, 2, 3])
        list.append(1, [4, 5, 6])
        list.append(2, [7, 8, 9])
        let content = (1...3).map { $0 + page * 3 + 10 }
        if page == 0 {
            #expect(list.replaceFirst(with: content, restarts: true) == .same)
        } else {
            list.replace(at: page, with: content)
        }
        #expect(list.items == (1...9).map { content.contains($0 + 10) ? $0 + 10 : $0 })
        #expect(list.slots.map(\.shownCount) == [3, 3, 3])
        list.replace(at: 1, with: [4, 10, 6])
        #expect(list.items.map { $0 % 10 } == [1, 2, 3, 4, 0, 6, 7, 8, 9])
    }

    private static let cases: [([Int], [Int])] = [
        ([1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([0, 1, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),  // inserted at the beginning
        ([-1, 0, 1], [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([1, 0, 2], [1, 0, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([2, 3, 4], [2, 3, 4, 5, 6, 7, 8, 9]),  // 1 was deleted
        ([1, 3, 4], [1, 3, 4, 5, 6, 7, 8, 9]),
        ([1, 3, 5], [1, 3, 5, 6, 7, 8, 9]),  // 2 and 4 were deleted
        ([3, 4, 6], [3, 4, 6, 7, 8, 9]),
        ([3, 5, 8], [3, 5, 8, 6, 9]),  // 6 stays: nothing after it on its page has moved
        ([0, 2, 4], [0, 2, 4, 3, 5, 6, 7, 8, 9]),  // 3 stays: it was after 2
        ([5, 1, 2], [5, 1, 2, 3, 4, 6, 7, 8, 9]),  // 5 moved to the beginning
        ([2, 3, 9], [2, 3, 9, 4, 5, 6, 7, 8]),  // 7 and 8 stay: nothing of the second page has moved
        ([9, 8, 1], [9, 8, 1, 2, 3, 4, 5, 6, 7]),
        ([1, 2], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([3, 2, 1], [3, 2, 1, 4, 5, 6, 7, 8, 9]),
        ([0, 10, 11], [0, 10, 11]),  // no common item
        ([5, 6, 7], [5, 6, 7]), ([], []),
    ]

    @Test(arguments: cases)
    func `The new first page is merged`(_ content: [Int], _ expected: [Int]) {
        var list = list([1, 2, 3], [4, 5, 6], [7, 8, 9])
        _ = list.replaceFirst(with: content, restarts: true)
        #expect(list.items == expected)
        let count = list.items.count
        #expect(list.slots.map(\.shownCount).reduce(0, +) == count)
    }

    @Test func `Without an identity, the new first page replaces the old one`() {
        var list = list([1, 1], [1, 2], id: nil)
        #expect(list.items == [1, 1, 1, 2])
        #expect(list.replaceFirst(with: [3, 1], restarts: true) == .changed)
        #expect(list.items == [3, 1, 1, 2])
    }

    @Test func `Items that have moved stay until their page is loaded`() {
        var list = list([1, 2, 3], [4, 5, 6])
        #expect(list.replaceFirst(with: [-1, 0, 1], restarts: true) == .changed)
        #expect(list.items == [-1, 0, 1, 2, 3, 4, 5, 6])
        #expect(list.replaceFirst(with: [-1, 0, 1], restarts: true) == .same)
        #expect(list.items == [-1, 0, 1, 2, 3, 4, 5, 6])
        list.replace(at: 1, with: [3, 4, 5])
        #expect(list.items == [-1, 0, 1, 3, 4, 5])
    }

    @Test func `Items that have moved to the first page are still in the list when the first page leaves it`() {
        var list = list([0, 1, 2], [3, 4, 5], [6, 7, 8])
        _ = list.replaceFirst(with: [1, 3, 4], restarts: true)  // 0 was deleted; 2 may have moved to the second page
        #expect(list.items == [1, 3, 4, 2, 5, 6, 7, 8])
        list.removeFirst(1)
        #expect(list.items == [3, 4, 5, 6, 7, 8])
    }

    @Test(arguments: [([2, 3, 4], [3, 4, 5]), ([2, 4, 5], [4, 5])])
    func `An item that an earlier merge has moved to the first page counts as deleted only if it left that page`(
        _ content: [Int], _ secondPage: [Int]
    ) {
        var list = list([0, 1, 2], [3, 4, 5])
        _ = list.replaceFirst(with: [1, 2, 3], restarts: true)  // 0 was deleted
        _ = list.replaceFirst(with: content, restarts: true)  // 1 was deleted, and in the second case 3
        list.removeFirst(1)
        #expect(list.items == secondPage)
    }

    @Test func `An item that is on the first page does not count as deleted if a later page has it, too`() {
        var list = list([0, 1, 2], [2, 3, 4])  // an item was inserted between the loads of the pages
        _ = list.replaceFirst(with: [1, 2, 3], restarts: true)  // 0 was deleted
        #expect(list.items == [1, 2, 3, 4])
        list.removeFirst(1)
        #expect(list.items == [2, 3, 4])
    }

    @Test func `An item that was hidden as deleted, and comes back on the first page, is not deleted`() {
        var list = list([1, 2, 3], [4, 5, 6])
        _ = list.replaceFirst(with: [2, 3, 5], restarts: true)  // 1 and 4 were deleted
        #expect(list.items == [2, 3, 5, 6])
        _ = list.replaceFirst(with: [2, 3, 4], restarts: true)  // 4 is there again
        list.removeFirst(1)
        #expect(list.items == [4, 5, 6])
    }

    @Test func `The same content brings back hidden items of a page that has become the first page`() {
        var list = list([1, 2, 3], [4, 5, 6])
        _ = list.replaceFirst(with: [2, 3, 5], restarts: true)  // 1 and 4 were deleted
        list.removeFirst(1)
        #expect(list.items == [5, 6])
        #expect(list.replaceFirst(with: [4, 5, 6], restarts: true) == .same)
        #expect(list.items == [4, 5, 6])
    }

    @Test func `An edit by the app does not bring back an item that was hidden as deleted`() {
        var list = list([1, 2, 3], [4, 5, 6])
        _ = list.replaceFirst(with: [2, 3, 5], restarts: true)  // 1 and 4 were deleted
        list.replace(at: 1, with: [4, 5, 6, -1], isFromApp: true)
        #expect(list.items == [2, 3, 5, 6, -1])
        list.replace(at: 1, with: [4, 5, 6])
        #expect(list.items == [2, 3, 5, 4, 6])
    }

    @Test func `If a page is before the first page, no item of a later page counts as deleted`() {
        var list = list([1, 2, 3], [4, 5, 6], [7, 8, 9])
        #expect(list.replaceFirst(with: [3, 5, 8], restarts: true, isHead: false) == .changed)
        #expect(list.items == [3, 5, 8, 4, 6, 7, 9])
    }

    @Test func `An item that only the app has put on the first page does not move to the second page`() {
        var list = list([1, 2, 3], [4, 5, 6])
        list.replace(at: 0, with: [1, 2, 3, -1])
        _ = list.replaceFirst(with: [0, 1, 2, -1], sent: [1, 2, 3], restarts: true)
        #expect(list.items == [0, 1, 2, -1, 3, 4, 5, 6])
        _ = list.replaceFirst(with: [0, 1, 2], sent: [0, 1, 2], restarts: true)
        #expect(list.items == [0, 1, 2, 3, 4, 5, 6])
        list.replace(at: 0, with: [8, 7, 0, 1, 2])
        _ = list.replaceFirst(with: [9, 8, 7], sent: [0, 1, 2], restarts: true)
        #expect(list.items == [9, 8, 7, 0, 1, 2, 3, 4, 5, 6])
    }

    @Test func `Items that have moved stay if new content of the second page has none of them`() {
        var list = list([1, 2, 3], [4, 5, 6])
        _ = list.replaceFirst(with: [-1, 0, 1], restarts: true)
        list.replace(at: 1, with: [7, 8, 9])
        #expect(list.items == [-1, 0, 1, 2, 3, 7, 8, 9])
    }

    @Test(arguments: [[4, 5, 6], [4, 6, 7], [7, 8], []])
    func `If the second page begins behind items that have moved to it, they are deleted`(_ second: [Int]) {
        var list = list([1, 2, 3], [4, 5, 6], [7, 8, 9])
        _ = list.replaceFirst(with: [-1, 0, 1], restarts: true)
        var edited = list
        edited.replace(at: 1, with: second, isFromApp: true)
        #expect(edited.items.prefix(5) == [-1, 0, 1, 2, 3])
        list.replace(at: 1, with: second)
        #expect(list.items == [-1, 0, 1] + second + [7, 8, 9].filter { !second.contains($0) })
    }

    @Test(arguments: [[5, 6], [3, 5, 6]])
    func `The second page decides on an item before one that has moved to the first page`(_ second: [Int]) {
        var list = list([1, 2, 3], [4, 5, 6])
        _ = list.replaceFirst(with: [1, 2, 4], restarts: true)  // 3 was deleted, or is behind 4 now
        list.replace(at: 1, with: [4, 5, 6], isFromApp: true)
        #expect(list.items == [1, 2, 4, 3, 5, 6])
        list.replace(at: 1, with: second)
        #expect(list.items == [1, 2, 4] + second)
    }

    @Test func `Items that have moved to a page that leaves the list leave it, too`() {
        var list = list([1, 2, 3], [4, 5, 6])
        _ = list.replaceFirst(with: [0, 1, 2], restarts: true)
        list.truncate(to: 1)
        #expect(list.items == [0, 1, 2])
    }

    @Test func `New content with an item of an earlier page does not show it twice`() {
        var list = list([1, 2, 3], [3, 4, 5])
        list.replace(at: 1, with: [3, 4, 5])
        #expect(list.items == [1, 2, 3, 4, 5])
    }

    @Test func `Pages are added and removed at both ends`() {
        var list = list([3, 4], [4, 5])
        list.prepend(9, [1, 2, 3])
        #expect(list.items == [1, 2, 3, 4, 5])
        #expect(list.slots.map(\.shownCount) == [3, 1, 1])
        #expect(list.pages(in: 0..<1) == 0..<1)
        #expect(list.pages(in: 2..<4) == 0..<2)
        #expect(list.pages(in: 4..<9) == 2..<3)
        #expect(list.pages(in: 7..<9).isEmpty)
        list.removeFirst(1)
        #expect(list.items == [3, 4, 5])
        list.truncate(to: 1)
        #expect(list.items == [3, 4])
        #expect(list.keys == [0])
        list.removeFirst(5)
        #expect(list.slots.count == 1)
        list.restart(with: 7)
        #expect(list.items.isEmpty)
        #expect(list.isEmpty)
        #expect(list.keys == [7])
    }

    @Test func `A page that takes the place of an earlier page removes the pages between`() {
        var list = list([1], [2], [3], [4])
        list.rekey(at: 1, 3)
        #expect(list.items == [1, 4])
        #expect(list.slots.map(\.key) == [0, 3])
        list.rekey(at: 1, 8)
        #expect(list.items == [1, 4])
        #expect(list.slots.map(\.key) == [0, 8])
    }

    @Test func `Adding a page asks for the identity of its items only`() {
        var count = 0
        var list = list(
            [0],
            id: {
                count += 1
                return $0
            })
        for page in 1..<100 {
            count = 0
            list.append(page, Array(page * 100..<(page + 1) * 100))
            #expect(count == 100)
        }
        #expect(list.items.count == 9901)
    }

    /// The list that new contents of any pages make, compared with a list that is made anew from the contents.
    @Test(arguments: 0..<300)
    func `New content of a page changes the list as if it were made anew`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var contents = (0..<5).map { page in (0..<4).map { page * 4 + $0 } }
        var changed = list(contents[0], contents[1], contents[2], contents[3], contents[4])
        for step in 0..<40 {
            let page = Int.random(in: 0..<5, using: &random)
            // Mostly the page moved by one item, as after an insertion or a deletion, and sometimes anything.
            let shift = Int.random(in: -1...1, using: &random)
            let anything = (0..<Int.random(in: 0..<6, using: &random)).map { _ in Int.random(in: 0..<24, using: &random)
            }
            contents[page] = step % 5 == 0 ? anything : (0..<4).map { page * 4 + $0 + shift }
            changed.replace(at: page, with: contents[page])
            var known: Set<Int> = []
            let shown = contents.map { $0.filter { known.insert($0).inserted } }
            #expect(changed.items == shown.flatMap(\.self))
            #expect(changed.slots.map(\.shownCount) == shown.map(\.count))
        }
    }

    @Test(arguments: [-1, 0, 1])
    func `New content of one page hashes the identities of few pages, however long the list is`(_ shift: Int) {
        let counter = HashCounter()
        var list = PageList<Int, Int>(first: 0) { CountedHash(value: $0, counter: counter) }
        list.replace(at: 0, with: Array(0..<10))
        for page in 1..<200 { list.append(page, (0..<10).map { page * 10 + $0 }) }
        counter.count = 0
        for page in 1..<200 { list.replace(at: page, with: (0..<10).map { page * 10 + $0 + shift }) }
        #expect(counter.count < 200 * 100)
        #expect(list.items == Array(0..<10) + (10..<2000).map { $0 + shift }.filter { $0 >= 10 })
    }

    private final class HashCounter {
        var count = 0
    }

    private struct CountedHash: Hashable {
        let value: Int
        let counter: HashCounter

        static func == (left: Self, right: Self) -> Bool { left.value == right.value }

        func hash(into hasher: inout Hasher) {
            counter.count += 1
            hasher.combine(value)
        }
    }
}
