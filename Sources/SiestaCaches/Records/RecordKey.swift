import Foundation

/// The key of one record in a ``RecordStore``: a partition, which belongs to one principal, and a name within the
/// partition.
///
/// The partition and the name are digests of 128 bits, so that file names and indices do not reveal users or URLs. The
/// record itself contains its principal and its URL. Therefore, a record that is found under the key of another entity
/// is treated as missing.
public struct RecordKey: Hashable, Comparable, Sendable {
    /// The partition of the record. All records of a partition can be removed together.
    public let partition: UInt128
    /// The name of the record within the partition.
    public let name: UInt128

    /// Creates a key from its parts.
    public init(partition: UInt128, name: UInt128) {
        self.partition = partition
        self.name = name
    }

    /// - Parameter slot: the number of the place among the places for the variants of one URL; 0 is the first place, which
    ///   all versions of the library use.
    init(principal: String, address: String, coding: String, slot: UInt8 = 0) {
        partition = Self.partition(of: principal)
        name = Self.name(address: address, coding: coding, slot: slot)
    }

    static func name(address: String, coding: String, slot: UInt8) -> UInt128 {
        slot == 0 ? Digest.of(address, coding) : Digest.of(address, coding, "variant \(slot)")
    }

    static func partition(of principal: String) -> UInt128 { Digest.of(principal) }

    /// Compares two keys by partition, and then by name.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        (left.partition, left.name) < (right.partition, right.name)
    }
}

/// The text of a part of a key: 32 hexadecimal digits. It is the same on every machine and in every process.
extension UInt128 {
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for index in 0..<32 {
                let digit = UInt8(truncatingIfNeeded: self >> UInt128(124 - 4 * index)) & 15
                digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 32
        }
    }

    package init?(hexadecimal: some StringProtocol) {
        guard hexadecimal.utf8.count == 32, let value = UInt128(hexadecimal, radix: 16),
            value.hexadecimal == hexadecimal
        else { return nil }
        self = value
    }
}
