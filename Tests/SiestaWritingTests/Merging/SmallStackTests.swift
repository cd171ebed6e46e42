import Foundation
import SiestaCore
import SiestaJSON
import SiestaWriting
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct SmallStackTests {
    /// Apple platforms give 512 KB of stack to all threads except the main thread.
    @Test func `The deepest values fit on the stack of a secondary thread`() async {
        let fits = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: Self.useDeepestValues()) }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(fits)
    }

    private static func useDeepestValues() -> Bool {
        let values = (1...3).map { end in
            let text =
                String(repeating: "[{\"id\":1,\"a\":", count: 50) + "\(end)" + String(repeating: "}]", count: 50)
            return (try? JSONValue(parsing: Data(text.utf8))) ?? .null
        }
        let delta = JSONDelta(from: values[0], to: values[1])
        let merge = ThreeWayMerge(base: values[0], mine: values[1], theirs: values[2])
        let patch = JSONMergePatch(from: ["a": values[0]], to: ["a": values[1]])
        return values[0].depth == JSONValue.maximumDepth && delta.applied(to: values[0]) == values[1]
            && (try? JSONDelta(parsing: delta.data)) == delta && merge.conflicts.count == 1
            && patch?.applied(to: ["a": values[0]]) == ["a": values[1]]
            && Set(values).count == 3
    }
}
