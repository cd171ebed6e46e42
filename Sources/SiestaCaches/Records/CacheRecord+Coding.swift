package import Foundation
import HTTPRules
import SiestaCore

/// The binary format of stored entities: a mark, a version, a checksum of the whole record, and the parts.
///
/// ```text
/// "SiE"  version: 1 byte  checksum: 8
/// schemaVersion: 4  timestamp: 8  headerCount: 4  contentLength: 8
/// status: 2  requestTime: 8  responseTime: 8  redirectLimit: 4  marks: 1   (not in version 1)
/// principal, address, coding, variant, charset, names and values of headers: each length: 4, UTF-8
/// content
/// ```
///
/// Numbers are little-endian. A missing charset has the length 2³² − 1. The content is the last part.
///
/// A missing status is 0, a missing time is not a number, and a missing limit is 2³² − 1. The lowest bit of the marks says
/// that the response is an error; the next four bits are the number of the place among the variants of one URL, 0 to 8; the
/// sixth bit says that a redirect forbids stale use. Versions of the library that do not know this bit do not use the record.
/// Version 1 has none of these values.
extension CacheRecord {
    /// The reason why bytes cannot be read as a stored entity.
    package enum Malformation: Error, Equatable, Sendable {
        /// The bytes do not begin with the mark of the format, the checksum does not match, or the lengths of the parts
        /// are wrong.
        case damaged
        /// A later version of the library has written the entity.
        case newer(version: UInt8)
    }

    /// The version of the format that this version of the library writes.
    package static let formatVersion: UInt8 = 2

    private static let mark: [UInt8] = Array("SiE".utf8)
    private static let headLength = 12
    private static let noText = UInt32.max
    private static let noLimit = UInt32.max
    private static let noTime = TimeInterval.nan.bitPattern
    private static let forbidsStaleMark: UInt8 = 1 << 5
    /// The number of places for further variants of one URL.
    package static let slotCount: UInt8 = 8

    /// Returns the entity as bytes.
    package func encoded() -> Data {
        var writer = ByteWriter(capacity: Self.headLength + 256 + content.count)
        writer.append(Self.mark)
        writer.append(Self.formatVersion)
        writer.append(UInt64(0))
        writer.append(schemaVersion)
        writer.append(timestamp.bitPattern)
        writer.append(UInt32(truncatingIfNeeded: headers.count))
        writer.append(UInt64(content.count))
        appendExchange(to: &writer)
        for text in [principal, address, coding, variant] { writer.append(text) }
        if let charset { writer.append(charset) } else { writer.append(Self.noText) }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            writer.append(name)
            writer.append(value)
        }
        writer.append(content)
        writer.replace(at: 4, with: Self.checksum(of: writer.bytes))
        return writer.bytes
    }

    private func appendExchange(to writer: inout ByteWriter) {
        writer.append(UInt16(exactly: statusCode ?? 0) ?? 0)
        for time in [requestTime, responseTime] {
            writer.append(time.flatMap { $0.isFinite ? $0.bitPattern : nil } ?? Self.noTime)
        }
        writer.append(redirectLimit.map { min($0, Self.noLimit - 1) } ?? Self.noLimit)
        writer.append(slot << 1 | (isError ? 1 : 0) | (redirectsForbidStale ? Self.forbidsStaleMark : 0))
    }

    /// Creates a record from the result of ``encoded()``. Throws an error for any other bytes.
    package init(encoded data: Data) throws(Malformation) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(Malformation) in try CacheRecord(bytes) }
        }
        self = try result.get()
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(Malformation) {
        guard bytes.count >= Self.headLength, bytes.prefix(3).elementsEqual(Self.mark) else { throw .damaged }
        guard bytes[3] <= Self.formatVersion else { throw .newer(version: bytes[3]) }
        let checksum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
        guard bytes[3] > 0, checksum == Self.checksum(of: bytes) else { throw .damaged }
        var reader = RecordReader(bytes: bytes, position: Self.headLength)
        guard let entity = Self.read(&reader, version: bytes[3]) else { throw .damaged }
        self = entity
    }

    private static func read(_ reader: inout RecordReader, version: UInt8) -> CacheRecord? {
        guard let schemaVersion: UInt32 = reader.number(), let timestamp: UInt64 = reader.number(),
            let headerCount: UInt32 = reader.number(), let contentLength: UInt64 = reader.number(),
            let exchange = version == 1 ? ExchangePart() : ExchangePart(&reader), let principal = reader.text(),
            let address = reader.text(), let coding = reader.text(),
            let variant = reader.text(), let charset = reader.optionalText(without: noText)
        else { return nil }
        var headers: [String: String] = [:]
        for _ in 0..<headerCount {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            headers[name] = value
        }
        let time = TimeInterval(bitPattern: timestamp)
        guard contentLength == reader.remaining, time.isFinite else { return nil }
        var record = CacheRecord(
            principal: principal, address: address, coding: coding, schemaVersion: schemaVersion,
            timestamp: time, charset: charset, headers: headers, variant: variant, statusCode: exchange.statusCode,
            requestTime: exchange.requestTime, responseTime: exchange.responseTime,
            redirectLimit: exchange.redirectLimit, isError: exchange.isError, content: reader.rest())
        (record.slot, record.redirectsForbidStale) = (exchange.slot, exchange.redirectsForbidStale)
        return record
    }

    /// The values that a record of version 1 does not have.
    private struct ExchangePart {
        var statusCode: Int?
        var requestTime: TimeInterval?
        var responseTime: TimeInterval?
        var redirectLimit: UInt32?
        var redirectsForbidStale = false
        var isError = false
        var slot: UInt8 = 0

        init() {}

        /// Returns nil if the values are missing or malformed. Each value has exactly one form, so that no two records are
        /// equal.
        init?(_ reader: inout RecordReader) {
            guard let status: UInt16 = reader.number(), let requestTime = reader.optionalTime(without: noTime),
                let responseTime = reader.optionalTime(without: noTime), let limit: UInt32 = reader.number(),
                let marks: UInt8 = reader.number(), (marks & ~forbidsStaleMark) >> 1 <= slotCount
            else { return nil }
            statusCode = status == 0 ? nil : Int(status)
            (self.requestTime, self.responseTime) = (requestTime, responseTime)
            redirectLimit = limit == noLimit ? nil : limit
            redirectsForbidStale = marks & forbidsStaleMark != 0
            (isError, slot) = (marks & 1 == 1, (marks & ~forbidsStaleMark) >> 1)
        }
    }

    /// The checksum of all bytes except the checksum itself.
    private static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var digest = Digest(isThorough: false)
        digest.add(UnsafeRawBufferPointer(rebasing: bytes[..<4]))
        digest.add(UnsafeRawBufferPointer(rebasing: bytes[headLength...]))
        return UInt64(truncatingIfNeeded: digest.finish())
    }

    private static func checksum(of data: Data) -> UInt64 { data.withUnsafeBytes { checksum(of: $0) } }
}

private struct ByteWriter {
    private(set) var bytes: Data

    init(capacity: Int) {
        bytes = Data(capacity: capacity)
    }

    mutating func append(_ part: some Sequence<UInt8>) {
        bytes.append(contentsOf: part)
    }

    mutating func append(_ part: Data) {
        bytes.append(part)
    }

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        append(UInt32(truncatingIfNeeded: text.utf8.count))
        text.withUTF8Bytes { bytes.append(contentsOf: $0) }
    }

    mutating func replace(at offset: Int, with number: UInt64) {
        let start = bytes.startIndex + offset
        withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(start..<start + 8, with: $0) }
    }
}

/// Reads the parts of a record, one after another. A read past the end returns nil.
private struct RecordReader {
    let bytes: UnsafeRawBufferPointer
    var position: Int

    var remaining: Int { bytes.count - position }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard remaining >= size else { return nil }
        defer { position += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    /// Returns a time, or an inner nil for a missing time. Returns nil if the time is malformed.
    mutating func optionalTime(without none: UInt64) -> TimeInterval?? {
        guard let bits: UInt64 = number() else { return nil }
        guard bits != none else { return .some(nil) }
        let time = TimeInterval(bitPattern: bits)
        return time.isFinite ? .some(time) : nil
    }

    mutating func text() -> String? {
        guard let length: UInt32 = number() else { return nil }
        return text(length: length)
    }

    /// Returns a text, or an inner nil for a missing text. Returns nil if the text is malformed.
    mutating func optionalText(without none: UInt32) -> String?? {
        guard let length: UInt32 = number() else { return nil }
        return length == none ? .some(nil) : text(length: length).map { .some($0) }
    }

    private mutating func text(length: UInt32) -> String? {
        guard length <= remaining else { return nil }
        defer { position += Int(length) }
        return String(validating: bytes[position..<position + Int(length)], as: UTF8.self)
    }

    mutating func rest() -> Data {
        defer { position = bytes.count }
        return Data(bytes[position...])
    }
}
