import Foundation
import SiestaCore
import SiestaCaches
import SiestaWriting

/// Up to 32 entries of an outbox in one record. Pure.
///
/// ```text
/// "SiS"  version: 1 byte  count: 2  checksum: 8
/// "SiF"  place: 1 byte  length: 4  checksum: 8  content       (a frame, for each entry)
/// ```
///
/// Numbers are little-endian. The checksums include the key of the record, so that a frame is valid only in its own
/// record. If some bytes are damaged, the frames after them are still found. The damaged bytes and the number of missing
/// frames are kept when the segment is written again, until the app discards them.
///
/// Several entries share a record because opening a file costs more than decoding an entry. An entry stays in its place,
/// so that a change writes one record of some kilobytes.
struct OutboxSegment: Sendable {
    /// The contents of the frames by their places; nil for a free place.
    private(set) var frames = [Data?](repeating: nil, count: capacity)
    /// The number of frames.
    private var count = 0
    /// The length of all contents, in bytes.
    private var length = 0
    /// The number of frames that are damaged or missing.
    private(set) var missing = 0
    /// True if the record must not be written, because it could not be read.
    private(set) var isForeign = false
    private var damaged: [Data] = []

    static let capacity = 32
    /// The length from which a segment takes no more entries, in bytes: large entries would be written again with each
    /// change of their neighbours, and a store reads no record beyond 1 GB.
    private static let largeLength = 256 << 10
    /// The mark and the version. A record of another version counts as damaged and is kept. A changed bit in the version
    /// hides no frame.
    private static let mark = Data("SiS".utf8) + [1]
    private static let headLength = 14
    private static let frameMark = Data("SiF".utf8)
    private static let frameHeadLength = 16
    /// The maximum number of frame marks with a wrong checksum. A hostile record could contain a mark in all places.
    private static let failureLimit = 256

    init() {}

    /// The segment of a record that cannot be read.
    static let unreadable = {
        var segment = OutboxSegment()
        (segment.missing, segment.isForeign) = (1, true)
        return segment
    }()

    /// True if the record can be removed.
    var isEmpty: Bool { count == 0 && missing == 0 }

    /// A place for another entry; nil if the segment is full, large or damaged.
    var freePlace: UInt8? {
        guard missing == 0, !isForeign, count < Self.capacity, length < Self.largeLength else { return nil }
        return frames.firstIndex(of: nil).map(UInt8.init)
    }

    /// The content of a frame; nil for a free place.
    subscript(place: UInt8) -> Data? {
        get { frames[Int(place)] }
        set {
            count += (newValue == nil ? 0 : 1) - (frames[Int(place)] == nil ? 0 : 1)
            length += (newValue?.count ?? 0) - (frames[Int(place)]?.count ?? 0)
            frames[Int(place)] = newValue
        }
    }

    /// Removes the damaged bytes.
    mutating func discardDamage() {
        (missing, damaged, isForeign) = (0, [], false)
    }

    // MARK: Writing

    func encoded(_ key: RecordKey) -> Data {
        var writer = PartWriter()
        let count = UInt16(clamping: self.count + missing)
        writer.append(raw: Self.mark)
        writer.append(count)
        writer.append(Self.headChecksum(key, count))
        for (index, content) in frames.enumerated() {
            guard let content else { continue }
            let place = UInt8(index)
            writer.append(raw: Self.frameMark)
            writer.append(place)
            writer.append(UInt32(truncatingIfNeeded: content.count))
            writer.append(content.withUnsafeBytes { Self.checksum(key, place, $0) })
            writer.append(raw: content)
        }
        for bytes in damaged { writer.append(raw: bytes) }
        return writer.bytes
    }

    private static func headChecksum(_ key: RecordKey, _ count: UInt16) -> UInt64 {
        checksum(key, UInt8.max, UnsafeRawBufferPointer(start: nil, count: 0), count)
    }

    private static func checksum(
        _ key: RecordKey, _ place: UInt8, _ bytes: UnsafeRawBufferPointer, _ count: UInt16 = 0
    ) -> UInt64 {
        var digest = Digest(isThorough: false)
        for part in [key.partition, key.name] {
            digest.add(UInt64(truncatingIfNeeded: part))
            digest.add(UInt64(truncatingIfNeeded: part >> 64))
        }
        digest.add(UInt64(place) | UInt64(count) << 8)
        digest.add(bytes)
        return UInt64(truncatingIfNeeded: digest.finish())
    }

    // MARK: Reading

    /// Reads a record. Never fails: the damage of any other bytes is counted.
    init(_ record: Data, _ key: RecordKey) {
        record.withUnsafeBytes { read($0, key) }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ key: RecordKey) {
        let announced = Self.count(in: bytes, key)
        var position = announced == nil ? 0 : Self.headLength
        var (start, failures) = (position, 0)
        while position < bytes.count, failures < Self.failureLimit {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            guard rest.starts(with: Self.frameMark) else { position += 1; continue }
            if let (place, content) = Self.frame(rest, key), self[place] == nil {
                keepDamage(bytes[start..<position])
                self[place] = content
                position += Self.frameHeadLength + content.count
                start = position
            } else {
                (position, failures) = (position + 1, failures + 1)
            }
        }
        keepDamage(bytes[start...])
        missing = max(damaged.count, (announced ?? count + 1) - count)
    }

    private mutating func keepDamage(_ bytes: Slice<UnsafeRawBufferPointer>) {
        if !bytes.isEmpty { damaged.append(Data(bytes)) }
    }

    /// Returns the number of frames that a valid head announces.
    private static func count(in bytes: UnsafeRawBufferPointer, _ key: RecordKey) -> Int? {
        guard bytes.count >= headLength, bytes.starts(with: mark) else { return nil }
        var reader = PartReader(UnsafeRawBufferPointer(rebasing: bytes[mark.count...]))
        guard let count: UInt16 = reader.number(), let sum: UInt64 = reader.number(), sum == headChecksum(key, count)
        else { return nil }
        return Int(count)
    }

    /// Returns the frame at the start of `bytes`; nil if it is damaged.
    private static func frame(_ bytes: UnsafeRawBufferPointer, _ key: RecordKey) -> (UInt8, Data)? {
        guard bytes.count >= frameHeadLength else { return nil }
        var reader = PartReader(UnsafeRawBufferPointer(rebasing: bytes[frameMark.count...]))
        guard let place: UInt8 = reader.number(), place < capacity, let length: UInt32 = reader.number(),
            let sum: UInt64 = reader.number(), length <= bytes.count - frameHeadLength
        else { return nil }
        let content = UnsafeRawBufferPointer(rebasing: bytes[frameHeadLength..<frameHeadLength + Int(length)])
        return sum == checksum(key, place, content) ? (place, Data(content)) : nil
    }
}
