import Foundation
import FuzzDriver

@main
struct JSONFuzzer {
    static func main() {
        if let count = MutationRun.count { MutationRun(count: count).start() }
        runFuzzer { fuzz($0, $1) }
    }
}

/// Compares the results of this package with those of Foundation: values, types of numbers, casts, errors and coding
/// paths. Also encodes the values again, and those of a random probe. The first byte selects the strategies, and the
/// text: the bytes that follow, or a document that they change.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let first = input.first else { return 0 }
    var seed = UInt64(first)
    var text = Data(input.dropFirst())
    if first % 2 == 1 {
        seed = input.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        var random = SplitMix(seed: seed)
        text = Mutations.document(&random)
    }
    // Comparing all types and the encoders takes twenty times as long.
    let difference =
        seed % 32 > 0
        ? Differential.shortDifference(text, seed: seed)
        : Differential.difference(text, seed: seed) ?? EncodingDifferential.difference(text, seed: seed)
    if let difference {
        fatalError("\(String(decoding: text, as: UTF8.self))\n\(difference)")
    }
    return 0
}
