import Isolation
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct QueueIsolatedTests {
    @Test
    func `work runs in the order in which it was scheduled`() async {
        let numbers = QueueIsolated<[Int]>(label: "Siesta.Tests") { [] }
        for number in 0..<100 { numbers.schedule { $0.append(number) } }
        #expect(await numbers.run { $0 } == Array(0..<100))
    }

    @Test
    func `a value that is not Sendable is moved to the queue`() async {
        let counter = Counter()
        let isolated = QueueIsolated(label: "Siesta.Tests") { counter }
        await isolated.run { $0.count += 1 }
        #expect(await isolated.run { $0.count } == 1)
    }

    @Test
    func `work that throws keeps the changes it has made`() async {
        let number = QueueIsolated(label: "Siesta.Tests") { 0 }
        await #expect(throws: CancellationError.self) {
            try await number.run { number in
                number = 1
                throw CancellationError()
            }
        }
        #expect(await number.run { $0 } == 1)
    }
}

private final class Counter {
    var count = 0
}
