import Foundation
import FuzzDriver

@testable import SiestaCore
@testable import SiestaCaches

@main
struct StoredRecordFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Takes an input for a record of a cache, and checks what must be true whatever is on a disk. The first byte says how.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Data(UnsafeRawBufferPointer(start: bytes, count: count))
    switch input.popFirst() ?? 0 {
    case 0..<32: checkDecoding(of: Data(input))
    case 32..<160: checkDecoding(of: checksummed(input))
    case 160..<192: checkFinding(in: Data(input))
    case 192..<224: checkFinding(in: sealed(checksummed(input)))
    default: checkRoundTrip(of: entity(from: input))
    }
    return 0
}

// MARK: Records

/// The input as the part of a record that its checksum is over; few inputs would get beyond that otherwise.
private func checksummed(_ input: Data) -> Data {
    let head = Data("SiE".utf8) + [input.count % 4 == 0 ? 1 : CacheRecord.formatVersion]  // Also the older version.
    var digest = Digest(isThorough: false)
    head.withUnsafeBytes { digest.add($0) }
    Data(input).withUnsafeBytes { digest.add($0) }
    let checksum = withUnsafeBytes(of: UInt64(truncatingIfNeeded: digest.finish()).littleEndian) { Data($0) }
    return head + checksum + input
}

private func sealed(_ record: Data) -> Data { Data("SiX".utf8) + [1] + record }

/// Bytes are damaged, or an entity that gives the same entity again.
private func checkDecoding(of record: Data) {
    guard let entity = try? CacheRecord(encoded: record) else { return }
    precondition(entity.timestamp.isFinite)
    precondition(entity.headers.count * 8 + entity.content.count <= record.count)
    checkRoundTrip(of: entity)
}

/// A record is used under its own key alone, whether it is sealed or not.
private func checkFinding(in record: Data) {
    let other = RecordKey(partition: 1, name: 2)
    for sealing in [nil, Plain()] {
        let form = RecordCoder(EntityCacheOptions(schemaVersion: 7, sealing: sealing))
        switch form.finding(in: record, under: other) {
        case .entity, .migrated: preconditionFailure("A record is used under another key")
        case .foreign(let reason), .useless(let reason): precondition(!reason.isEmpty)
        }
        guard let entity = try? CacheRecord(encoded: sealing == nil ? record : Data(record.dropFirst(4))) else {
            continue
        }
        switch form.finding(in: record, under: entity.key) {
        case .entity(let found): precondition(found == entity && entity.schemaVersion == 7)
        case .migrated: preconditionFailure("A record is migrated without a migration")
        case .foreign, .useless: break
        }
    }
}

private func checkRoundTrip(of entity: CacheRecord) {
    let record = entity.encoded()
    guard let again = try? CacheRecord(encoded: record) else { preconditionFailure("What was encoded is damaged") }
    precondition(again == entity)
    for sealing in [nil, Plain()] {
        let form = RecordCoder(EntityCacheOptions(schemaVersion: entity.schemaVersion, sealing: sealing))
        guard let record = try? form.record(of: entity),
            case .entity(let found) = form.finding(in: record, under: entity.key)
        else { preconditionFailure("What was written is not found") }
        precondition(found == entity)
    }
}

// MARK: Entities

/// An entity of pieces of the input.
private func entity(from input: Data) -> CacheRecord {
    var rest = input[...]
    func text() -> String {
        let count = Int(rest.popFirst() ?? 0) % 40
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }
    var entity = CacheRecord(
        principal: text(), address: text(), coding: text(), schemaVersion: UInt32(rest.popFirst() ?? 0),
        timestamp: TimeInterval(rest.popFirst() ?? 0) * 1e7, charset: rest.popFirst() ?? 0 > 127 ? text() : nil,
        variant: text(), content: Data())
    entity.statusCode = rest.popFirst().map { Int($0) * 5 }.flatMap { $0 == 0 ? nil : $0 }
    entity.requestTime = rest.popFirst().map { TimeInterval($0) }
    entity.responseTime = rest.popFirst().map { -TimeInterval($0) }
    entity.redirectLimit = rest.popFirst().map { UInt32($0) << 23 }
    entity.redirectsForbidStale = rest.popFirst() ?? 0 > 127
    entity.isError = rest.popFirst() ?? 0 > 127
    entity.slot = (rest.popFirst() ?? 0) % (CacheRecord.slotCount + 1)
    for _ in 0..<(rest.popFirst() ?? 0) % 20 { entity.headers[text()] = text() }
    entity.content = Data(rest)
    return entity
}

/// Encryption that changes nothing.
private struct Plain: EntitySealing {
    var keyIdentifier: String { "" }
    func seal(_ plain: Data, context: Data) throws -> Data { plain }
    func open(_ sealed: Data, context: Data) throws -> Data { sealed }
}
