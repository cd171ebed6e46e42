#if Encryption
import Foundation
import SiestaCaches
import SiestaCore
import TestKit
import Testing

@testable import SiestaEncryption

/// Encryption alone: it is AES-GCM, and it opens only records that it has sealed.
@Suite(.timeLimit(.test))
struct AESGCMSealingTests {
    private let context = Data("here".utf8)

    private func sealing(_ byte: UInt8 = 1, length: Int = 32, former: [UInt8] = []) throws -> AESGCMSealing {
        try AESGCMSealing(
            key: Data(repeating: byte, count: length), formerKeys: former.map { Data(repeating: $0, count: 32) })
    }

    /// Test cases 4 and 16 of "The Galois/Counter Mode of Operation (GCM)" (McGrew and Viega), appendix B.
    @Test(arguments: [
        (
            "feffe9928665731c6d6a8f9467308308",
            """
            42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091
            """, "5bc94fbc3221a5db94fae95ae7121a47"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            """
            522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
            """, "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ])
    func `Published test cases come out as published`(key: String, content: String, tag: String) throws {
        let plain = Data(
            hexadecimal: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """)
        let authenticated = Data(hexadecimal: "feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let nonce = Data(hexadecimal: "cafebabefacedbaddecaf888")
        let sealing = try AESGCMSealing(key: Data(hexadecimal: key))
        // The library defines the bytes before the nonce. Every record that was sealed with this key begins with them.
        let head = try sealing.seal(Data(), context: Data()).prefix(8)
        let sealed = head + nonce + Data(hexadecimal: content) + Data(hexadecimal: tag)
        #expect(try sealing.open(sealed, context: authenticated) == plain)
    }

    @Test(arguments: [16, 24, 32], [0, 1, 15, 16, 17, 4096, 1_000_003])
    func `What was sealed is opened`(keyLength: Int, count: Int) throws {
        let sealing = try sealing(length: keyLength)
        let plain = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let sealed = try sealing.seal(plain, context: context)
        #expect(sealed.count == count + 36)
        #expect(try sealing.open(sealed, context: context) == plain)
        #expect(try sealing.open(Data([0, 0]) + sealed, context: context, dropping: 2) == plain)
        #expect(count < 15 || sealed.range(of: plain) == nil)
    }

    @Test func `Any change of any bit is noticed, and so is any end that is missing`() throws {
        let sealing = try sealing()
        let sealed = try sealing.seal(Data("Ada's balance is 17".utf8), context: context)
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: (any Error).self, "bit \(bit)") { try sealing.open(changed, context: context) }
        }
        for count in 0..<sealed.count {
            #expect(throws: CacheRecord.Malformation.damaged, "\(count) bytes") {
                try sealing.open(sealed.prefix(count), context: context)
            }
        }
        #expect(throws: CacheRecord.Malformation.damaged) { try sealing.open(sealed + [0], context: context) }
        #expect(throws: CacheRecord.Malformation.damaged) { try sealing.open(sealed, context: Data("there".utf8)) }
        #expect(throws: CacheRecord.Malformation.damaged) { try sealing.open(sealed, context: Data()) }
    }

    @Test func `The same content is sealed otherwise each time`() throws {
        let sealing = try sealing()
        let nonces = try (0..<10_000).map { _ in try sealing.seal(Data("x".utf8), context: context)[8..<20] }
        #expect(Set(nonces).count == 10_000)
    }

    @Test func `A former key opens and no longer seals; a key that is not known is said to be so`() throws {
        let old = try sealing(1).seal(Data("old".utf8), context: context)
        let renewed = try sealing(2, former: [1])
        #expect(try renewed.open(old, context: context) == Data("old".utf8))
        let new = try renewed.seal(Data("new".utf8), context: context)
        #expect(try sealing(2).open(new, context: context) == Data("new".utf8))
        #expect(throws: SealingError.unknownKey) { try sealing(2).open(old, context: context) }
        #expect(throws: SealingError.unknownKey) { try sealing(1).open(new, context: context) }
    }

    @Test func `A key's identifier is its own, and does not show it`() throws {
        #expect(try sealing(1).keyIdentifier == sealing(1, former: [2]).keyIdentifier)
        #expect(try sealing(1).keyIdentifier != sealing(2).keyIdentifier)
        #expect(try sealing(1, length: 16).keyIdentifier != sealing(1).keyIdentifier)
        #expect(try sealing(0xAB).keyIdentifier.contains("abab") == false)
        #expect(try AESGCMSealing.newKey() != AESGCMSealing.newKey())
        #expect(try AESGCMSealing.newKey().count == 32)
    }

    @Test(arguments: [0, 1, 15, 31, 33, 64])
    func `A key of another length is refused`(count: Int) {
        #expect(throws: SealingError.keyLength(count)) { try AESGCMSealing(key: Data(count: count)) }
        #expect(throws: SealingError.keyLength(count)) {
            try AESGCMSealing(key: Data(count: 32), formerKeys: [Data(count: count)])
        }
    }

    @Test func `Many threads seal and open at once`() async throws {
        let (sealing, context) = (try sealing(), context)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try (0..<500).allSatisfy { index in
                        let plain = Data("\(number) \(index)".utf8)
                        return try sealing.open(sealing.seal(plain, context: context), context: context) == plain
                    }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}

extension AESGCMSealing {
    /// Opens a slice, whose indices do not begin with 0.
    fileprivate func open(_ sealed: Data, context: Data, dropping count: Int) throws -> Data {
        try open(sealed.dropFirst(count), context: context)
    }
}

extension Data {
    fileprivate init(hexadecimal text: String) {
        let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
        self.init(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
#endif
