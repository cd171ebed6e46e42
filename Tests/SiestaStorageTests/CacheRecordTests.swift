import CacheTorture
import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaCaches

/// The record format of entities.
@Suite(.timeLimit(.test))
struct CacheRecordTests {
    private static let full = CacheRecord(
        principal: "ada", address: "https://api.test/ünï?q=1", coding: "User", schemaVersion: 7,
        timestamp: 812_345_678.125, charset: "utf-8", headers: ["etag": "\"1\"", "vary": "Accept, Cookie", "x": ""],
        variant: "a1",
        content: Data("content, which is long enough for several words".utf8))

    static let samples = [
        full, CacheRecord(address: "", coding: "", timestamp: 0, content: Data()),
        CacheRecord(address: "a", coding: "data", timestamp: -1, charset: "", content: Data(count: 100_000)),
        CacheRecord(
            address: "a", coding: "data", timestamp: 5, statusCode: 404, requestTime: 3.5, responseTime: 4,
            redirectLimit: 60, isError: true, content: Data()),
        sample(slot: CacheRecord.slotCount), sample(slot: CacheRecord.slotCount, forbidsStale: true),
    ]

    private static func sample(slot: UInt8, forbidsStale: Bool = false) -> CacheRecord {
        var record = full
        (record.slot, record.redirectsForbidStale) = (slot, forbidsStale)
        return record
    }

    @Test(arguments: samples)
    func `What is written is read, all of it`(entity: CacheRecord) throws {
        #expect(try CacheRecord(encoded: entity.encoded()) == entity)
    }

    @Test func `A slice of a larger whole is read like any other bytes`() throws {
        let bytes = Data([1, 2, 3]) + Self.full.encoded() + Data([4])
        #expect(try CacheRecord(encoded: bytes[3..<bytes.count - 1]) == Self.full)
    }

    @Test func `Encoding the same entity gives the same bytes in every process`() {
        let digest = Digest.of("", Self.full.encoded().base64EncodedString())
        #expect(digest.hexadecimal == "8ae4ce71088e66ef4f5c40ddcc7ccfe1")
    }

    /// The digest is that of a record which version 1 of the format has written.
    @Test func `A record of version 1 is read, without the values that it does not have`() throws {
        var bytes = Self.full.encoded()
        bytes.removeSubrange(36..<36 + 23)
        bytes[3] = 1
        bytes = bytes.withChecksum
        #expect(Digest.of("", bytes.base64EncodedString()).hexadecimal == "5aa7674b7f2d3dcd9e5d40fe623d7a26")
        #expect(try CacheRecord(encoded: bytes) == Self.full)
    }

    @Test func `A record grows by 23 bytes for the exchange`() {
        var record = Self.full
        let count = record.encoded().count
        (record.statusCode, record.requestTime, record.responseTime, record.redirectLimit) = (200, 1, 2, 3)
        #expect(record.encoded().count == count)
        let texts =
            [record.principal, record.address, record.coding, record.variant, "utf-8"]
            + record.headers.flatMap { [$0.key, $0.value] }
        #expect(count == 36 + 23 + record.content.count + texts.reduce(0) { $0 + 4 + $1.utf8.count })
    }

    @Test func `Values that are not numbers of an exchange are stored as missing`() throws {
        var record = Self.full
        (record.statusCode, record.requestTime, record.responseTime) = (70_000, .infinity, .nan)
        let read = try CacheRecord(encoded: record.encoded())
        #expect(read.statusCode == nil)
        #expect(read.requestTime == nil)
        #expect(read.responseTime == nil)
    }

    @Test func `Every change of a single bit is noticed`() {
        let bytes = Self.full.encoded()
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CacheRecord.Malformation.self) { try CacheRecord(encoded: changed) }
        }
    }

    @Test func `Every truncation, and whatever follows the end, is noticed`() {
        let bytes = Self.full.encoded()
        for count in 0..<bytes.count {
            #expect(throws: CacheRecord.Malformation.damaged) { try CacheRecord(encoded: bytes.prefix(count)) }
        }
        #expect(throws: CacheRecord.Malformation.damaged) { try CacheRecord(encoded: bytes + [0]) }
        #expect(throws: CacheRecord.Malformation.damaged) { try CacheRecord(encoded: bytes + bytes) }
    }

    @Test func `What a later version has written is told from damage`() {
        var bytes = Self.full.encoded()
        bytes[3] = 3
        #expect(throws: CacheRecord.Malformation.newer(version: 3)) { try CacheRecord(encoded: bytes) }
        bytes[3] = 0
        #expect(throws: CacheRecord.Malformation.damaged) { try CacheRecord(encoded: bytes) }
    }

    /// Misleading numbers under a correct checksum, as an attacker could write them.
    @Test func `Lengths that do not fit are refused though the checksum is right`() {
        var random = SeededGenerator(seed: TestSeed.current)
        let bytes = Self.full.encoded()
        for _ in 0..<TestLevel.count(4_000, nightly: 20_000) {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: 12..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { changed = changed.prefix(.random(in: 12...bytes.count, using: &random)) }
            let entity = try? CacheRecord(encoded: changed.withChecksum)
            #expect(entity?.timestamp.isFinite ?? true, "seed \(TestSeed.current)")
        }
    }

    @Test func `Random bytes are refused`() {
        var random = SeededGenerator(seed: TestSeed.current)
        for length in 0..<2000 {
            let bytes = Data((0..<length % 300).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(throws: CacheRecord.Malformation.self) { try CacheRecord(encoded: bytes) }
            #expect(throws: CacheRecord.Malformation.self) { try CacheRecord(encoded: Data("SiE\u{1}".utf8) + bytes) }
        }
    }

    @Test func `No two damaged bits make up for each other`() {
        let bytes = Self.full.encoded()
        for one in 0..<64 {
            for other in 0..<64 {
                var changed = bytes
                changed[12 + one / 8] ^= 1 << (one % 8)
                changed[20 + other / 8] ^= 1 << (other % 8)
                #expect((try? CacheRecord(encoded: changed)) == nil)
            }
        }
    }

    @Test func `Addresses that differ in two letters have different names`() {
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        var names: Set<UInt128> = []
        for one in letters {
            for two in letters {
                names.insert(Digest.of("https://api.example.com/u/ri6pZ\(one)dLR\(two)", "data"))
            }
        }
        #expect(names.count == letters.count * letters.count)
    }

    @Test func `Headers that are credentials, or about the connection, are not kept`() {
        let headers = ["etag": "1", "set-cookie": "s", "authorization": "a", "connection": "close", "x-total": "3"]
        #expect(CacheRecord.kept(headers) == ["etag": "1", "x-total": "3"])
    }

    @Test func `Keys differ for other principals, URLs and codings, and hang together in no other way`() {
        let keys = [
            RecordKey(principal: "a", address: "b", coding: "c"),
            RecordKey(principal: "", address: "b", coding: "c"),
            RecordKey(principal: "a", address: "bc", coding: ""),
            RecordKey(principal: "a", address: "", coding: "bc"),
        ]
        #expect(Set(keys).count == 4)
        #expect(keys[0].partition == keys[2].partition)
        #expect(keys[0].partition != keys[1].partition)
        #expect(UInt128(hexadecimal: keys[0].name.hexadecimal) == keys[0].name)
        #expect(UInt128(hexadecimal: "+" + keys[0].name.hexadecimal.dropFirst()) == nil)
        #expect(UInt128(7).hexadecimal == String(repeating: "0", count: 31) + "7")
    }
}

extension Data {
    /// Returns the same record with a correct checksum.
    fileprivate var withChecksum: Data {
        var digest = Digest(isThorough: false)
        let bytes = Data(self)
        bytes.withUnsafeBytes { bytes in
            digest.add(UnsafeRawBufferPointer(rebasing: bytes[..<4]))
            digest.add(UnsafeRawBufferPointer(rebasing: bytes[12...]))
        }
        let checksum = UInt64(truncatingIfNeeded: digest.finish()).littleEndian
        return bytes.prefix(4) + Swift.withUnsafeBytes(of: checksum) { Data($0) } + bytes[12...]
    }
}
