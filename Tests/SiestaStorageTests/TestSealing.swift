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
        Data(plain.map { $0 ^ key }) + Data([sum(plain, context)])
    }

    func open(_ sealed: Data, context: Data) throws -> Data {
        let plain = Data(sealed.dropLast().map { $0 ^ key })
        guard sealed.last == sum(plain, context) else { throw Refusal() }
        return plain
    }

    private func sum(_ plain: Data, _ context: Data) -> UInt8 {
        (plain + context).reduce(key) { ($0 &* 31) &+ $1 }
    }
}
