import Foundation
import SiestaCore
import SiestaCaches
import SiestaWriting

/// Converts entries to the frames of a segment. Pure, except for the app's encryption.
///
/// The first byte of a frame is 0 for a plain entry and 1 for a sealed entry. A store with encryption does not read plain
/// entries, because everybody could insert them.
struct OutboxFrame: Sendable {
    let sealing: (any EntitySealing)?

    /// The reason why a frame is not a usable entry.
    enum Defect: Error {
        case isEmpty, isPlain, isSealed, isOfOtherPartition
    }

    func encoded(_ entry: Outbox.Entry, _ place: OutboxPlace) throws -> Data {
        guard let sealing else { return Data([0]) + entry.encoded() }
        return Data([1]) + (try sealing.seal(entry.encoded(), context: place.context))
    }

    func entry(_ frame: Data, _ place: OutboxPlace) throws -> Outbox.Entry {
        guard let kind = frame.first, kind <= 1 else { throw Defect.isEmpty }
        let content = frame.dropFirst()
        let entry: Outbox.Entry
        if let sealing {
            guard kind == 1 else { throw Defect.isPlain }
            entry = try Outbox.Entry(encoded: sealing.open(Data(content), context: place.context))
        } else {
            guard kind == 0 else { throw Defect.isSealed }
            entry = try Outbox.Entry(encoded: content)
        }
        guard OutboxPlace.partition(of: entry.principal) == place.key.partition else { throw Defect.isOfOtherPartition }
        return entry
    }

    /// True if a usable frame was sealed with an earlier key.
    func isSealedWithFormerKey(_ frame: Data) -> Bool {
        guard let sealing else { return false }
        return !sealing.isSealedWithPresentKey(Data(frame.dropFirst()))
    }
}

/// The place of an entry: a record and a frame of the record.
struct OutboxPlace: Hashable, Sendable {
    let key: RecordKey
    let frame: UInt8

    /// The context for which an entry is sealed.
    var context: Data {
        Data("Siesta outbox \(key.partition.hexadecimal) \(key.name.hexadecimal) \(frame)".utf8)
    }

    /// The partition of a principal: a digest, so that names of files do not contain the principal.
    static func partition(of principal: String?) -> UInt128 {
        if let principal { Digest.of("outbox", "principal", principal) } else { Digest.of("outbox", "no principal") }
    }
}
