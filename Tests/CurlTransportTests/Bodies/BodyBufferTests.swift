#if os(Linux)
import Foundation
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct BodyBufferTests {
    @Test(arguments: [0, 1, 4096, 16 << 10, (16 << 10) + 1, 300_000])
    func `What goes in comes out`(size: Int) {
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        var buffer = BodyBuffer(budget: BodyBudget(limit: .max))
        for announced in [0, size, size * 3] {
            for start in stride(from: 0, to: size, by: 7000) {
                let piece = bytes[start..<min(start + 7000, size)]
                #expect(piece.withUnsafeBytes { buffer.append($0, announced: announced, limit: .max) } == .taken)
            }
            #expect(buffer.count == size)
            #expect(buffer.take() == bytes)
            #expect(buffer.count == 0)
        }
    }

    @Test func `The limit is exact, and takes nothing of a piece that passes it`() {
        var buffer = BodyBuffer(budget: BodyBudget(limit: .max))
        #expect(append(100, to: &buffer, limit: 100) == .taken)
        #expect(append(0, to: &buffer, limit: 100) == .taken)
        #expect(append(1, to: &buffer, limit: 100) == .overLimit)
        #expect(buffer.count == 100)
        #expect(buffer.take().count == 100)
    }

    @Test func `A server's word is not worth more than 4 MB`() throws {
        var buffer = BodyBuffer(budget: BodyBudget(limit: .max))
        #expect(append(1, to: &buffer, announced: .max, limit: .max) == .taken)
        #expect(buffer.capacity == 4 << 20)
    }

    @Test func `Clearing forgets the bytes, and large memory`() {
        var buffer = BodyBuffer(budget: BodyBudget(limit: .max))
        _ = append(1 << 20, to: &buffer)
        buffer.clear()
        #expect(buffer.capacity == 0)
        #expect(append(3, to: &buffer) == .taken)
        #expect(buffer.take() == Data(repeating: 7, count: 3))
    }

    private func append(
        _ count: Int, to buffer: inout BodyBuffer, announced: Int = 0, limit: Int = .max
    ) -> BodyBuffer.Outcome {
        [UInt8](repeating: 7, count: count).withUnsafeBytes { buffer.append($0, announced: announced, limit: limit) }
    }
}
#endif
