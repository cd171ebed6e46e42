import Foundation
import TestKit
import Testing

@testable import JSONCoding

@Suite(.timeLimit(.test))
struct NumberTests {
    private static let unusual: [String] = [
        "0", "-0", "0.0", "-0.0", "0e0", "0e5", "0E3", "-0.0e-6", "0.00e2", "0e400", "0E-400", "1e400", "-1e400",
        "1e-400", "1E400", "1e5", "1E5", "1e+5",
        "1E+05", "12345678901234567", "123456789012345678",
        "1234567890123456789", "12345678901234567890", "123456789012345678901", "9223372036854775807",
        "9223372036854775808", "-9223372036854775807",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "-999999999999999999", "-1000000000000000000",
        "0.12345678901234567", "0.1234567890123456", "-0.123456789012345", "-0.1234567890123456", "1.0000000000000000",
        "1.00000000000000000",
        "123456789012345.67", "1234567890123456.7", "12345678901234567.8", "0.1000000000000000055511151231257827",
        "1e22", "1e23", "1e-22", "1e-23", "1e27", "1e28",
        "1e-27", "1e-28", "9007199254740993", "9007199254740993.0", "9007199254740992e1", "1.7976931348623157e308",
        "1.7976931348623159e308", "4.9e-324", "2.4e-324",
        "2.2250738585072011e-308", "8.5e-5", "16777217.0000000001",
        "1.00000005960464477539062500001", "0.006929283495992422", "-5", "299792.458", "3.4028235e38", "3.4028236e38",
        "1e127",
        "1.000000000000000000e127", "1.000000000000000000e128", "1.000000000000000000e-128",
        "1.000000000000000000e-129", "0.00000000000000000000000000000000000001",
        "100000000000000000000000000000000000000000", "127", "128", "-128", "-129", "255", "256",
        "32767", "32768", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "1.0", "2.50",
        "1e2", "1e-2", "100e-2", "0.30000000000000004", "16777217", "16777216.5",
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211456",
        "-170141183460469231731687303715884105728", "1e30001", "1e-30001", "1e999999999999999999999",
        "0." + String(repeating: "0", count: 100) + "1", "1" + String(repeating: "0", count: 308),
        "0." + String(repeating: "3", count: 200),
    ]

    @Test(arguments: unusual)
    func `Numbers at the limits of types have the results of Foundation`(_ number: String) {
        expectSame(number)
    }

    @Test func `Random numbers have the results of Foundation`() {
        var random = SplitMix(seed: TestSeed.current)
        for _ in 0..<TestLevel.count(300, nightly: 1_500, soak: 30_000) {
            expectSame(Self.number(&random))
        }
    }

    #if os(Linux) || os(Android)
    @Test func `Exact doubles are those nearest to the decimal numbers`() throws {
        var random = SplitMix(seed: 8)
        for _ in 0..<20_000 {
            let significand = random.next() >> UInt64(random.below(64))
            let exponent = random.below(55) - 27
            let text = "\(significand)e\(exponent)"
            #expect(ExactDouble.value(significand, exponent) == Double(text), "\(text)")
        }
        #expect(ExactDouble.value(1, 28) == nil)
        #expect(ExactDouble.value(1, -28) == nil)
    }
    #endif

    private static func number(_ random: inout SplitMix) -> String {
        func digits(_ count: Int) -> String { (0..<count).map { _ in "\(random.below(10))" }.joined() }
        var text = random.below(3) == 0 ? "-" : ""
        text += random.below(4) == 0 ? "0" : "\(1 + random.below(9))" + digits(random.below(22))
        if random.below(2) == 0 { text += "." + digits(1 + random.below(22)) }
        if random.below(3) == 0 { text += ["e", "E", "e-", "E+"][random.below(4)] + "\(random.below(40))" }
        return text
    }

    private func expectSame(_ number: String) {
        let list = Data("[\(number)]".utf8)
        let types: [any Decodable.Type] = [
            [Int].self, [Int8].self, [Int16].self, [Int32].self, [Int64].self, [Int128].self, [UInt].self, [UInt8].self,
            [UInt16].self, [UInt32].self, [UInt64].self, [UInt128].self, [Double].self, [Float].self, [Decimal].self,
            [Date].self, [Double?].self, [Loose].self,
        ]
        let difference = Differential.treeDifference(list) ?? Differential.treeDifference(Data(number.utf8))
        let differences = [difference] + types.map { self.difference($0, list) }
        if let difference = differences.compactMap(\.self).first { Issue.record("\(number)\n\(difference)") }
    }

    private func difference<T: Decodable>(_ type: T.Type, _ data: Data) -> String? {
        Differential.decodeDifference(type, data, seed: 3) { [Transcript.text($0)] }
    }
}
