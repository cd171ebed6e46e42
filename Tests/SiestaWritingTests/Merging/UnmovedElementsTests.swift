import SiestaCore
import TestKit
import Testing

@testable import SiestaWriting

@Suite(.timeLimit(.test))
struct UnmovedElementsTests {
    @Test(
        arguments: [
            ([], 0), ([1], 1), ([1, 2, 3], 3), ([3, 2, 1], 1), ([3, 1, 2], 2), ([2, 3, 1], 2), ([1, 5, 2, 6, 3, 4], 4),
        ] as [([Int], Int)])
    func `The run is the longest, and increases`(numbers: [Int], count: Int) {
        let run = UnmovedElements.longestRun(numbers)
        #expect(run.count == count)
        let kept = numbers.filter(run.contains)
        #expect(kept == kept.sorted())
    }

    @Test func `The run is as long as that of a search without tricks`() {
        for seed in TestSeed.cases(TestLevel.count(100, nightly: 500)) {
            var random = RandomJSON(seed: seed)
            var numbers = Array(0..<random.number(1...9))
            for index in numbers.indices { numbers.swapAt(index, random.number(index...numbers.count - 1)) }
            let longest = (0..<1 << numbers.count).map { choice in
                let chosen = numbers.indices.filter { choice & 1 << $0 != 0 }.map { numbers[$0] }
                return chosen == chosen.sorted() ? chosen.count : 0
            }.max()
            #expect(UnmovedElements.longestRun(numbers).count == longest, "\(numbers)")
        }
    }
}
