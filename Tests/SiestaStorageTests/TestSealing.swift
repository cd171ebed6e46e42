import Foundation
import SiestaCaches
import SiestaCore

/// Encryption that hides nothing, but detects the same errors as real encryption: another key, another context, and any
/// change.
struct TestSealing: EntitySealing {
    let key: UInt8

    struct Refusal: Error {}

    var keyIdentifier: String { "\(key)" }

    func seal(_ plain: Data, context: Data) throws -> Data {
        Data(plain.map { $0 ^ key }) + checksum(plain, context)
    }

    func open(_ sealed: Data, context: Data) throws -> Data {
        let plain = Data(sealed.dropLast(8).map { $0 ^ key })
        guard sealed.suffix(8) == checksum(plain, context) else { throw Refusal() }
        return plain
    }

    /// Returns eight bytes: with one byte, every 256th change would stay unnoticed.
    private func checksum(_ plain: Data, _ context: Data) -> Data {
        let sum = (plain + context).reduce(UInt64(key)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 &+ 1 }
        return withUnsafeBytes(of: sum.littleEndian) { Data($0) }
    }
}
