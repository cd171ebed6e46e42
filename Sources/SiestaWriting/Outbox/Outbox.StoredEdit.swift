package import Foundation
import SiestaCore

extension Outbox {
    /// An edit of a resource, in a form that can be stored.
    package struct StoredEdit: Hashable, Sendable {
        /// The address of the edited resource.
        package var address: Outbox.Address
        /// The bytes of a delta between the contents before and after the edit.
        package var delta: Data

        /// Creates an edit.
        package init(address: Outbox.Address, delta: Data) {
            (self.address, self.delta) = (address, delta)
        }
    }
}
