import Foundation
import TestKit
import Testing

@testable import JSONCoding

@Suite(.timeLimit(.model))
struct ObjectEncodingTests {
    private static var numbers: [Any] {
        [
            1, Int8(2), UInt64.max, Int64.min, UInt8(200), true, false, 1.0, -0.0, 1e16, Float(0.1), Float(1e20),
            Decimal(1) / 3, NSNumber(value: true), NSNumber(value: 1), NSNumber(value: 1.0), NSNumber(value: 1.5),
            NSNumber(value: Float(0.1)), NSNumber(value: UInt64.max), NSNumber(value: Int8(-1)),
            NSNumber(value: UInt8(200)),
            NSNumber(value: Int64.min), NSNumber(value: Int16(-300)), NSNumber(value: UInt32.max),
            NSDecimalNumber(string: "1.50"), NSDecimalNumber(string: "1e40"),
        ]
    }

    private static var others: [Any] {
        [
            "a/\"\u{0}", NSNull(), NSString("x/"), NSMutableString("m"), NSArray(array: [1, "a"]), NSArray(),
            NSDictionary(dictionary: ["k": 1]), [1, 2], ["a"], ["k": 1], [[["k": ["a", "b"]]]], [] as [Any],
            [String: Any](), [Int](), [1: 2], ["a": 1] as [AnyHashable: Any], ["a": 1, 2: 3] as [AnyHashable: Any],
            Int?.none as Any, Int?.some(3) as Any, Int??.some(nil) as Any, Any?.none as Any,
            Any?.some(Int?.none as Any) as Any,
            [Int?.none, 5], [Int??.some(nil)], ["a": Int?.none, "b": 4], Optional([1]) as Any, Optional("x") as Any,
            AnyHashable("x"), AnyHashable(1), AnyHashable(["a": 1]), Double.nan, Float.infinity,
            NSNumber(value: Double.nan),
            NSNumber(value: -Float.infinity), Decimal.nan, NSDecimalNumber.notANumber, Double?.some(.nan) as Any,
            CGFloat(0.5), Float16(1), Int128(1), Date(timeIntervalSince1970: 0), Data(), Set([1]), Character("a"),
            "abc".prefix(2), [1, 2][1...], ContiguousArray([1]), "static" as StaticString, Int.self, { 1 } as () -> Int,
        ]
    }

    @Test func `Keys that differ in a byte order mark alone are both written`() {
        let object = ["\u{FEFF}cafe\u{301}": 71, "caf\u{E9}": 2, "\u{FEFF}a": 1, "a": 2]
        #expect(EncodingDifferential.objectDifference(object) == nil)
    }

    @Test func `Values of all types are accepted and written as by Foundation, at any place`() {
        for value in Self.numbers + Self.others {
            for object in [value, [value], ["k": value], [1, [value]], ["k": ["k": value]]] as [Any] {
                guard let difference = EncodingDifferential.objectDifference(object) else { continue }
                Issue.record("\(type(of: value)) \(value)\n\(difference)")
            }
        }
    }

    @Test func `Options are those of Foundation`() {
        for options in [.withoutEscapingSlashes, .sortedKeys, .prettyPrinted, .fragmentsAllowed]
            as [JSONSerialization.WritingOptions]
        {
            for object in [["a/b": 1, "a10": 2, "a9": [3]], ["/"], "a", 1, NSNull()] as [Any] {
                #expect(EncodingDifferential.objectDifference(object, options) == nil)
            }
        }
    }

    #if os(Linux) || os(Android)
    @Test func `Foundation writes no ordinary object`() throws {
        #expect(TreeWriter.data(Self.numbers, []) != nil)
        for text in Documents.valid where text.contains("{") {
            let (data, own) = (Data(text.utf8), try JSONCoding.object(with: Data(text.utf8)))
            let tree = try JSONSerialization.jsonObject(with: data)
            #expect(TreeWriter.data(tree, []) != nil, "\(text)")
            #expect(TreeWriter.data(own, []) != nil, "\(text)")
        }
    }
    #endif
}
