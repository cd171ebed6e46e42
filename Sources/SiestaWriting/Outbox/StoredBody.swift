import Foundation
import SiestaCore

/// The body of a change that the store keeps encrypted. It is decrypted while it is sent.
struct StoredBody: SealedBody {
    let store: any OutboxStore
    let name: String
    let length: Int64?

    var isRepeatable: Bool { true }

    func makeReader() throws -> any BodyReader {
        try SequenceBody(store.pieces(of: name), length: length).makeReader()
    }
}
