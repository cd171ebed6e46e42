package import Foundation
package import Siesta

/// The avatars of accounts. Their server is independent of the API, and needs no token.
package final class AvatarService: Service {
    /// Creates the service.
    package init(networking: any NetworkingProviderConvertible = DefaultNetworking()) {
        super.init(standardTransformers: [], networking: networking)
        configure {
            $0.expirationTime = 3_600
            $0.useRecommendedReloading()
            $0.offline = .wait(upTo: 600)
        }
    }

    /// Returns an avatar that is as large as needed.
    ///
    /// - Parameters:
    ///   - url: The address that the API has sent; nil for no avatar.
    ///   - pixels: The width and height in pixels.
    package func avatar(at url: URL?, pixels: Int) -> Resource? {
        guard let url else { return nil }
        return resource(absoluteURL: url.appending(queryItems: [URLQueryItem(name: "s", value: "\(pixels)")]))
    }
}
