import Foundation

/// A hash of 64 bits that finds damage, and spreads names: not a secret, and no defence against forgers.
///
/// Each step is a bijection of the state for a given word, and of the word for a given state: damage within one word of eight bytes always
/// shows, any other goes unnoticed once in 2⁶⁴ times. The same on every machine.
struct Digest {
    private var state: UInt64

    init(seed: UInt64 = 0) {
        state = seed ^ 0x9E37_79B9_7F4A_7C15
    }

    mutating func add(_ word: UInt64) {
        let product = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
        state = product << 29 | product >> 35
    }

    /// Takes in the number of bytes, and then the bytes, so that no two sequences of calls are taken for each other.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        let wholeWords = bytes.count & ~7
        for offset in stride(from: 0, to: wholeWords, by: 8) {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        guard wholeWords < bytes.count else { return }
        add(bytes[wholeWords...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return mixed ^ mixed >> 33
    }

    /// 128 bits for a sequence of texts.
    static func of(_ texts: String...) -> UInt128 {
        var (first, second) = (Digest(seed: 1), Digest(seed: 2))
        for text in texts {
            text.withUTF8Bytes { bytes in
                first.add(bytes)
                second.add(bytes)
            }
        }
        return UInt128(first.value) << 64 | UInt128(second.value)
    }
}
