import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The HTTP method of loads that send a body; see ``Service/resource(_:loadedBy:body:)``.
///
/// The name of the method is sent exactly as given. If the name is not a token (RFC 9110 §9.1), the loads fail with
/// ``RequestError/Code/invalidMethod``.
public struct LoadMethod: Equatable, Sendable {
    /// The name of the method.
    public let rawValue: String

    /// Creates a method with the given name, for example `LoadMethod(rawValue: "REPORT")`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// POST. An app that uses this method for loads declares that these requests change nothing on the server. The
    /// library may therefore send a request more than once.
    public static let post = LoadMethod(rawValue: "POST")
    /// QUERY, a safe method with a body. Loads with this method are conditional (`If-None-Match`), like loads with GET.
    public static let query = LoadMethod(rawValue: "QUERY")
    /// SEARCH (RFC 5323).
    public static let search = LoadMethod(rawValue: "SEARCH")
    /// REPORT (RFC 3253).
    public static let report = LoadMethod(rawValue: "REPORT")
}

/// The method and the body of the loads of one resource. Pure.
///
/// They are a part of the resource's identity: its address is the URL, the method and a digest of the body, separated
/// by spaces. No URL contains a space.
package struct LoadBody {
    let method: LoadMethod
    let data: Data
    let contentType: String

    static var separator: Character { " " }

    /// The text after the URL in the address of the resource. It does not show the body.
    var suffix: String {
        let digest = SHA256.hexadecimal(of: Array(contentType.utf8) + [0] + Array(data))
        return "\(Self.separator)\(method.rawValue)\(Self.separator)\(digest)"
    }

    /// True for the address of a resource whose loads have a body. The address does not contain the body.
    package static func isPart(of address: String) -> Bool {
        let parts = address.split(separator: separator, omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].utf8.count == 64
    }

    /// Makes a GET request with configured headers the load.
    ///
    /// A condition is removed, unless the method is QUERY: with other methods, a condition that is not met is the error
    /// 412, and not a 304 (RFC 9110 §13.1.2).
    func apply(to request: inout URLRequest) {
        request.httpMethod = method.rawValue
        request.httpBody = data
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        guard method != .query else { return }
        for name in Validator.conditions { request.setValue(nil, forHTTPHeaderField: name) }
    }

    /// Returns the recipe for a request of the resource. A load receives the body. Any other request receives an empty
    /// mutation, so that ``PreparedRequest`` compares its method with the method of loads.
    func recipe(for recipe: NetworkRequest.Recipe) -> NetworkRequest.Recipe {
        guard recipe.mutation == nil else { return recipe }
        return recipe.replacingMutation { request in
            if recipe.isLoad { apply(to: &request) }
        }
    }
}

/// The difference between a resource and an ordinary one; few resources have one.
final class PeculiarityExtension: ResourceExtension {
    let peculiarity: Resource.Peculiarity

    init(_ peculiarity: Resource.Peculiarity) {
        self.peculiarity = peculiarity
    }
}

extension Resource {
    /// The difference between a resource and an ordinary one, which has a URL and is loaded by GET.
    enum Peculiarity {
        /// The value that was given as the URL is not a valid URL.
        case invalidURL((any URLConvertible)?)
        /// The body of the loads cannot be encoded or sent.
        case invalidBody(any Error)
        /// The loads have a body.
        case body(LoadBody)
    }

    /// The difference to an ordinary resource; nil for an ordinary resource.
    var peculiarity: Peculiarity? { isPeculiar ? known(PeculiarityExtension.self)?.peculiarity : nil }

    /// The method and the body of the loads; nil if the loads have no body.
    package var loadBody: LoadBody? {
        guard case .body(let body) = peculiarity else { return nil }
        return body
    }

    /// True if all requests of the resource fail, because it has no usable URL or no usable body.
    package var isInvalid: Bool { isPeculiar && loadBody == nil }

    /// The value that was given as the URL, if it is not a valid URL.
    var invalidURLSource: (any URLConvertible)? {
        guard case .invalidURL(let source) = peculiarity else { return nil }
        return source
    }

    /// The URL as text, in canonical form.
    @inline(__always)
    package nonisolated var location: String { isPeculiar ? addressWithoutSuffix : address }

    private nonisolated var addressWithoutSuffix: String { String(address.prefix { $0 != LoadBody.separator }) }

    /// A string that identifies the resource within its service.
    ///
    /// For an ordinary resource, the identifier is the absolute URL. For a resource whose loads send a body
    /// (``Service/resource(_:loadedBy:body:)``), the identifier also contains the method and a digest of the body. Use
    /// the identifier as the key, or as a part of the key, in an ``EntityCache``.
    public nonisolated var identifier: String { address }

    /// The error of all requests of an invalid resource.
    package var peculiarityCause: any Error {
        if case .invalidBody(let error) = peculiarity { return error }
        return RequestError.Cause.InvalidURL(urlSource: invalidURLSource)
    }

    /// A resource that differs from this one only in the body of its loads. It is not in the registry.
    var withOtherBody: Resource {
        let body = loadBody
        let other = LoadBody(
            method: body?.method ?? .post, data: (body?.data ?? Data()) + [0], contentType: body?.contentType ?? "")
        return Resource(context: context, location: location, peculiarity: .body(other))
    }

    /// The recipe of a request that has the same headers as a load without a condition.
    var headerRecipe: NetworkRequest.Recipe {
        let plain = NetworkRequest.Recipe(resource: self, method: .get, mutation: nil)
        guard let loadBody else { return plain }
        return plain.replacingMutation { loadBody.apply(to: &$0) }
    }
}

extension ResourceContext {
    /// Returns the resource whose loads send `body` to the URL of `plain`. Creates it if it does not exist.
    package func resource(_ plain: Resource, loadedWith body: LoadBody) -> Resource {
        guard !plain.isPeculiar else { return plain }
        return resource(at: plain.address + body.suffix, location: plain.address, body: body)
    }
}
