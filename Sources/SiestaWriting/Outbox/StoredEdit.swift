public import Foundation
import SiestaCore

/// An edit of a resource, in a form that can be stored.
public struct StoredEdit: Hashable, Sendable {
    /// The address of the edited resource.
    public var address: OutboxAddress
    /// The bytes of a delta between the contents before and after the edit.
    public var delta: Data

    /// Creates an edit.
    public init(address: OutboxAddress, delta: Data) {
        (self.address, self.delta) = (address, delta)
    }
}
