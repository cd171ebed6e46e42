import Foundation
import HTTPRules
import SiestaCore

/// A hash that names records and detects damage: SipHash (Aumasson and Bernstein, 2012) with a fixed key.
///
/// It gives the same result on every machine. The key is not secret, so that the hash does not protect against forgery.
/// Therefore the library also compares a record's principal, URL and coding.
package struct Digest {
    private var (v0, v1): (UInt64, UInt64) = (0x736F_6D65_7073_6575, 0x646F_7261_6E64_6F6D ^ 0xEE)
    private var (v2, v3): (UInt64, UInt64) = (0x6C79_6765_6E65_7261, 0x7465_6462_7974_6573)
    private let isThorough: Bool

    /// Uses two rounds for each word if `isThorough` is true, as for names. Otherwise uses one round, which is enough
    /// to detect damage.
    package init(isThorough: Bool) {
        self.isThorough = isThorough
    }

    package mutating func add(_ word: UInt64) {
        v3 ^= word
        round()
        if isThorough { round() }
        v0 ^= word
    }

    /// Adds the number of bytes, and then the bytes. Therefore two different sequences of calls never add the same
    /// words.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        let wholeWords = bytes.count & ~7
        for offset in stride(from: 0, to: wholeWords, by: 8) {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        guard wholeWords < bytes.count else { return }
        add(bytes[wholeWords...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Returns the hash of 128 bits. No bytes can be added afterwards.
    package mutating func finish() -> UInt128 {
        v2 ^= 0xEE
        for _ in 0..<4 { round() }
        let high = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        for _ in 0..<4 { round() }
        return UInt128(high) << 64 | UInt128(v0 ^ v1 ^ v2 ^ v3)
    }

    /// Returns the hash of 128 bits for a sequence of texts.
    package static func of(_ texts: String...) -> UInt128 {
        var digest = Digest(isThorough: true)
        for text in texts {
            text.withUTF8Bytes { digest.add($0) }
        }
        return digest.finish()
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v1 = v1 << 13 | v1 >> 51
        v1 ^= v0
        v0 = v0 << 32 | v0 >> 32
        v2 &+= v3
        v3 = v3 << 16 | v3 >> 48
        v3 ^= v2
        v0 &+= v3
        v3 = v3 << 21 | v3 >> 43
        v3 ^= v0
        v2 &+= v1
        v1 = v1 << 17 | v1 >> 47
        v1 ^= v2
        v2 = v2 << 32 | v2 >> 32
    }
}
