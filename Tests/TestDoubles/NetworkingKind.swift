import Foundation
package import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The networking of an end-to-end test.
package enum NetworkingKind: CaseIterable, Sendable {
    /// The default transport of a service.
    case platform
    /// `URLSession`, selected as in apps for Siesta 1.5.
    case session

    package var networking: any NetworkingProviderConvertible {
        switch self {
        case .platform: DefaultNetworking()
        case .session: URLSessionConfiguration.ephemeral
        }
    }
}
