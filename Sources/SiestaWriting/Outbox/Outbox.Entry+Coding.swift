package import Foundation
import SiestaCore

/// The binary format of entries.
///
/// ```text
/// "SiO"  version: 1 byte
/// number: 8  creationTime: 8  waitsSince: 8  attempts: 4  settlement: 1
/// id, idempotencyKey, scope, principal, dependency
/// state: 1, and for some states: status: 2, message
/// method, address, contentType, If-Match, If-Unmodified-Since, If-None-Match
/// headers: count: 4, and for each: name, value
/// body: kind: 1, and its parts
/// edits: count: 4, and for each: address, delta
/// in version 2, former conditions: count: 4, and for each: If-Match, If-Unmodified-Since, If-None-Match
/// ```
///
/// Each text, and each other sequence of bytes, begins with its length in four bytes. A missing text has the length
/// 2³² − 1. Times are in seconds since 2001. The format has no checksum; the store adds one. An entry without former
/// conditions has version 1.
extension Outbox.Entry {
    /// The reason why bytes are not an entry.
    package enum Malformation: Error, Hashable, Sendable {
        /// The mark is missing, or a part is incomplete or has an invalid value.
        case damaged
        /// A later version of the library has written the entry.
        case newer(version: UInt8)
    }

    private static let mark = Data("SiO".utf8)
    private static let formatVersion: UInt8 = 2
    /// The maximum of numbers, so that the number of the next entry never overflows.
    private static let numberLimit: UInt64 = 1 << 53

    /// Returns the entry as bytes.
    package func encoded() -> Data {
        var writer = PartWriter()
        writer.append(raw: Self.mark)
        writer.append(formerConditions.isEmpty ? 1 : Self.formatVersion)
        writer.append(number)
        for time in [creationTime, waitsSince] { writer.append(time.timeIntervalSinceReferenceDate.bitPattern) }
        writer.append(UInt32(clamping: attempts))
        writer.append(settlement)
        for text in [id, idempotencyKey, scope] { writer.append(text) }
        for text in [principal, dependency] { writer.append(optional: text) }
        state.write(to: &writer)
        request.write(to: &writer)
        writer.append(UInt32(truncatingIfNeeded: edits.count))
        for edit in edits {
            edit.address.write(to: &writer)
            writer.append(edit.delta)
        }
        guard !formerConditions.isEmpty else { return writer.bytes }
        writer.append(UInt32(truncatingIfNeeded: formerConditions.count))
        for condition in formerConditions { condition.write(to: &writer) }
        return writer.bytes
    }

    /// Decodes the result of ``encoded()``. Throws for other bytes, and never crashes.
    package init(encoded data: Data) throws(Malformation) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(Malformation) in
                guard bytes.prefix(3).elementsEqual(Self.mark), bytes.count > 3 else { throw .damaged }
                guard bytes[3] <= Self.formatVersion else { throw .newer(version: bytes[3]) }
                var reader = PartReader(UnsafeRawBufferPointer(rebasing: bytes[4...]))
                guard bytes[3] > 0, let entry = Outbox.Entry(&reader, version: bytes[3]), reader.isAtEnd else {
                    throw .damaged
                }
                return entry
            }
        }
        self = try result.get()
    }

    private init?(_ reader: inout PartReader, version: UInt8) {
        guard let number: UInt64 = reader.number(), number <= Self.numberLimit, let created = reader.time(),
            let waits = reader.time(), let attempts: UInt32 = reader.number(), let settlement: UInt8 = reader.number(),
            let id = reader.text(), let key = reader.text(), let scope = reader.text(),
            let principal = reader.optionalText(), let dependency = reader.optionalText(),
            let state = State(&reader), let request = Outbox.StoredRequest(&reader),
            let edits = reader.list({ Outbox.StoredEdit(&$0) }),
            let former = version > 1 ? reader.list({ Outbox.Condition(&$0) }) : []
        else { return nil }
        self.init(
            id: id, scope: scope, principal: principal, creationTime: created, dependency: dependency,
            request: request, edits: edits, settlement: settlement)
        (self.number, self.attempts, self.state) = (number, Int(attempts), state)
        (waitsSince, idempotencyKey, formerConditions) = (waits, key, former)
    }
}

extension PartReader {
    fileprivate mutating func time() -> Date? {
        guard let bits: UInt64 = number() else { return nil }
        let time = TimeInterval(bitPattern: bits)
        return time.isFinite ? Date(timeIntervalSinceReferenceDate: time) : nil
    }
}

extension Outbox.Entry.State {
    fileprivate func write(to writer: inout PartWriter) {
        switch self {
        case .queued: writer.append(UInt8(0))
        case .sending: writer.append(UInt8(1))
        case .confirmed: writer.append(UInt8(2))
        case .refused(let status, let message):
            writer.append(UInt8(3))
            writer.append(UInt16(clamping: status ?? 0))
            writer.append(message)
        case .conflict(let status):
            writer.append(UInt8(4))
            writer.append(UInt16(clamping: status))
        }
    }

    fileprivate init?(_ reader: inout PartReader) {
        switch reader.number(UInt8.self) {
        case 0: self = .queued
        case 1: self = .sending
        case 2: self = .confirmed
        case 3:
            guard let status: UInt16 = reader.number(), let message = reader.text() else { return nil }
            self = .refused(status: status == 0 ? nil : Int(status), message: message)
        case 4:
            guard let status: UInt16 = reader.number() else { return nil }
            self = .conflict(status: Int(status))
        default: return nil
        }
    }
}

extension Outbox.StoredRequest {
    fileprivate func write(to writer: inout PartWriter) {
        writer.append(method)
        address.write(to: &writer)
        writer.append(optional: contentType)
        precondition.write(to: &writer)
        writer.append(UInt32(truncatingIfNeeded: headers.count))
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            writer.append(name)
            writer.append(value)
        }
        body.write(to: &writer)
    }

    fileprivate init?(_ reader: inout PartReader) {
        guard let method = reader.text(), let address = Outbox.Address(&reader), let type = reader.optionalText(),
            let precondition = Outbox.Condition(&reader),
            let fields = reader.list({ reader in reader.text().flatMap { name in reader.text().map { (name, $0) } } }),
            let body = Outbox.Body(&reader)
        else { return nil }
        self.init(
            storedMethod: method, address: address, headers: Dictionary(fields) { $1 }, contentType: type, body: body,
            precondition: precondition)
    }
}

extension Outbox.Condition {
    fileprivate func write(to writer: inout PartWriter) {
        for text in [ifMatch, ifUnmodifiedSince, ifNoneMatch] { writer.append(optional: text) }
    }

    fileprivate init?(_ reader: inout PartReader) {
        guard let match = reader.optionalText(), let since = reader.optionalText(), let noMatch = reader.optionalText()
        else { return nil }
        self.init(ifMatch: match, ifUnmodifiedSince: since, ifNoneMatch: noMatch)
    }
}

extension Outbox.Address {
    fileprivate func write(to writer: inout PartWriter) {
        writer.append(optional: creator)
        writer.append(text)
    }

    fileprivate init?(_ reader: inout PartReader) {
        guard let creator = reader.optionalText(), let text = reader.text() else { return nil }
        self = creator.map { .created(by: $0, path: text) } ?? .url(text)
    }
}

extension Outbox.Body {
    fileprivate func write(to writer: inout PartWriter) {
        switch self {
        case .none: writer.append(UInt8(0))
        case .bytes(let data):
            writer.append(UInt8(1))
            writer.append(data)
        case .kept(let name, let length):
            writer.append(UInt8(2))
            writer.append(name)
            writer.append(length)
        case .referenced(let path, let length, let modified):
            writer.append(UInt8(3))
            writer.append(path)
            writer.append(length)
            writer.append(modified)
        }
    }

    /// The maximum length of a file, so that the sum of the sizes of all entries never overflows.
    private static let lengths = Int64(0)...1 << 44

    fileprivate init?(_ reader: inout PartReader) {
        switch reader.number(UInt8.self) {
        case 0: self = .none
        case 1:
            guard let data = reader.data() else { return nil }
            self = .bytes(data)
        case 2:
            guard let name = reader.text(), let length: Int64 = reader.number(), Self.lengths ~= length
            else { return nil }
            self = .kept(name: name, length: length)
        case 3:
            guard let path = reader.text(), let length: Int64 = reader.number(), let modified: Int64 = reader.number()
            else { return nil }
            self = .referenced(path: path, length: length, modified: modified)
        default: return nil
        }
    }
}

extension Outbox.StoredEdit {
    fileprivate init?(_ reader: inout PartReader) {
        guard let address = Outbox.Address(&reader), let delta = reader.data() else { return nil }
        self.init(address: address, delta: delta)
    }
}
