import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What moves the bytes in a test of the whole.
enum Transport: CaseIterable, Sendable {
    /// What a service has unless it is told otherwise.
    case platform
    /// `URLSession`, as apps of 1.5 choose it.
    case session

    var networking: any NetworkingProviderConvertible {
        switch self {
        case .platform: DefaultNetworking()
        case .session: URLSessionConfiguration.ephemeral
        }
    }
}
