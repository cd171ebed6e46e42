#if os(Linux) || os(Android)
import Foundation
import Synchronization
import TestKit
import Testing

@testable import JSONCoding

@Suite(.timeLimit(.test))
struct FailingTypesTests {
    private struct Failure: Error {}

    private let types = FailingTypes()

    /// Decodes a value that cannot be decoded. Returns true if the fast way was tried.
    private func fail<T>(_ type: T.Type) -> Bool {
        var isTried = false
        #expect(throws: Failure.self) {
            try types.decode(type) {
                isTried = true
                return nil
            } foundation: {
                throw Failure()
            }
        }
        return isTried
    }

    /// Decodes a number. Returns true if the fast way was tried.
    private func succeed(isFast: Bool) -> Bool {
        var isTried = false
        let value = types.decode(Int.self) {
            isTried = true
            return isFast ? 1 : nil
        } foundation: {
            1
        }
        #expect(value == 1)
        return isTried
    }

    @Test func `A type that failed twice in a row is decoded by Foundation alone until it succeeds`() {
        #expect(fail(Int.self))
        #expect(fail(Int.self))
        for _ in 0..<6 { #expect(!fail(Int.self)) }
        #expect(!succeed(isFast: true))
        #expect(succeed(isFast: true))
        #expect(fail(Int.self))
        #expect(fail(Int.self))
        #expect(!fail(Int.self))
    }

    @Test(arguments: [true, false])
    func `A success between two failures keeps the fast way`(isFast: Bool) {
        for _ in 0..<3 {
            #expect(fail(Int.self))
            #expect(succeed(isFast: isFast))
        }
    }

    @Test func `Failures of one type do not change the way of another`() {
        for _ in 0..<3 { _ = fail(String.self) }
        #expect(!fail(String.self))
        #expect(succeed(isFast: true))
        #expect(fail([String].self))
        types.forget(String.self)
        #expect(fail(String.self))
    }

    @Test func `Any number of types can fail, also on many threads`() async {
        /// Fails with so many types, and then with all of them once more.
        @Sendable func fail<T>(_ type: T.Type, more: Int) -> Int {
            guard more > 0 else { return 0 }
            _ = (self.fail(type), self.fail(type))
            let known = fail([T].self, more: more - 1)
            return known + (self.fail(type) ? 0 : 1)
        }
        let known = fail(Int.self, more: 300)
        #expect(known > 0)
        #expect(known <= 64)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = fail(String.self, more: 100) } }
        }
    }

    /// A number above zero. Counts how often it is decoded.
    private struct Counted: Decodable {
        static let count = Atomic(0)
        let value: Int

        init(from decoder: any Decoder) throws {
            Counted.count.add(1, ordering: .relaxed)
            value = try decoder.singleValueContainer().decode(Int.self)
            guard value > 0 else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "zero", underlyingError: Failure()))
            }
        }
    }

    @Test(.enabled(if: !JSONCoding.isOff))
    func `The initializer of a type that throws an error with a cause runs once more at first`() throws {
        let (wrong, right) = (Data("0".utf8), Data("1".utf8))
        func runs(_ data: Data) -> Int {
            let before = Counted.count.load(ordering: .relaxed)
            let expected = Transcript.outcome { try JSONDecoder().decode(Counted.self, from: data).value }
            let result = Transcript.outcome { try JSONCoding.decode(Counted.self, from: data).value }
            #expect(Transcript.difference(result, expected) == nil)
            return Counted.count.load(ordering: .relaxed) - before - 1
        }
        #expect([wrong, wrong, wrong, right, right, wrong].map(runs) == [2, 2, 1, 1, 1, 2])
    }
}
#endif
