public import Foundation

/// A REST API: a base URL, the options for everything below it, and the one ``Resource`` for each of its URLs.
///
/// Subclass it to describe an API in one place:
///
///     final class MyAPI: Service {
///         init() {
///             super.init(baseURL: "https://api.example.com")
///             configure("/users/*") { $0.expirationTime = 300 }
///         }
///         var profile: Resource { resource("/profile") }
///     }
///
/// To be used on the main actor alone. Once nobody refers to a service, it goes, together with its unused resources.
@preconcurrency @MainActor
open class Service {
    let context: ResourceContext

    /// The URL below which the resources are, with a slash at the end of its path; nil if there is none.
    public var baseURL: URL? { context.baseURL }

    private let base: PathBase?

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - baseURL: a `String` or `URL`; its path gets a slash at the end if it has none. Without it, use
    ///     ``resource(absoluteURL:)``.
    ///   - standardTransformers: the transformers that resources have unless configured otherwise.
    ///   - networking: what moves the bytes: a provider, a session, or a session configuration. The default is
    ///     libcurl on Linux and `URLSession` elsewhere; see ``DefaultNetworking``.
    public init(
        baseURL: (any URLConvertible)? = nil, standardTransformers: [StandardTransformer] = [.json, .text, .image],
        networking: any NetworkingProviderConvertible = DefaultNetworking()
    ) {
        MainQueue.check("Service.init()")
        let url = baseURL?.url.flatMap { URL(string: ResourceAddress($0.absoluteString).appending(path: "")) }
        context = ResourceContext(baseURL: url, networking: networking.siestaNetworkingProvider, clock: .current)
        base = url.map { ResourceAddress($0.absoluteString).pathBase }
        context.service = self
        for transformer in standardTransformers {
            configure(description: "standard transformer: \(transformer.name)") { $0.pipeline.add(transformer) }
        }
    }

    /// A stand-in for a service that was released while somebody still used its resources.
    init(context: ResourceContext) {
        self.context = context
        base = context.baseURL.map { ResourceAddress($0.absoluteString).pathBase }
    }

    deinit {
        let context = context
        if MainQueue.isCurrent {
            MainActor.assumeIsolated { context.serviceWasReleased() }
        } else {
            MainQueue.async { context.serviceWasReleased() }
        }
    }

    // MARK: Resources

    /// The resource at ``baseURL`` with `path` appended.
    ///
    /// Nothing in `path` has a meaning: `..`, `//` and `http:` are kept, `?`, `%` and what else a path cannot hold is
    /// escaped; one slash at the beginning makes no difference. For query parameters see ``Resource/withParam(_:_:)``.
    /// Without a base the result is a resource every request of which fails.
    public final func resource(_ path: String) -> Resource {
        MainQueue.checkInDebug("Service.resource(_:)")
        guard let base else { return Resource(context: context, invalidURL: path) }
        return context.resource(at: path, below: base)
    }

    /// The resource at `baseURL` with `path` appended as ``resource(_:)`` does; an invalid one if `baseURL` is not a
    /// URL.
    public final func resource(baseURL: (any URLConvertible)?, path: String) -> Resource {
        MainQueue.checkInDebug("Service.resource(baseURL:path:)")
        guard let url = baseURL?.url else { return Resource(context: context, invalidURL: baseURL) }
        return context.resource(at: path, below: ResourceAddress(url.absoluteString).pathBase)
    }

    /// The resource at a URL, whether or not it is below ``baseURL``; configuration that matches the URL applies.
    ///
    /// If that is nil or not a URL, the result is a resource every request of which has failed already, with the cause
    /// ``RequestError/Cause/InvalidURL``.
    public final func resource(absoluteURL: (any URLConvertible)?) -> Resource {
        MainQueue.checkInDebug("Service.resource(absoluteURL:)")
        if let address = absoluteURL as? String, let known = context.known(at: address) { return known }
        return context.resource(absoluteURL: absoluteURL?.url?.absoluteURL, source: absoluteURL)
    }

    /// The resource at the URL that a template (RFC 6570) makes of variables.
    ///
    ///     service.resource(template: "/repos/{owner}/{repo}{?page}", ["owner": "apple", "repo": "swift", "page": page])
    ///
    /// It is below ``baseURL`` unless the template itself has a scheme: no variable can lead to another host, or to a
    /// folder above. Values are escaped as the template says; a slash at its beginning makes no difference. A template
    /// that is malformed, or that makes no URL, gives a resource every request of which fails and names it. So does a
    /// template in which the value of a variable makes a dot segment: `.` or `..`, also percent-encoded, also with
    /// parameters such as `..;x`, also between encoded slashes, also by completing a segment of the template.
    public final func resource(
        template: String, _ variables: [String: any URITemplateVariable] = [:]
    ) -> Resource {
        do throws(URITemplate.Malformation) {
            let template = try URITemplate(template)
            let target = try template.reference(with: variables)
            if template.hasScheme { return resource(absoluteURL: target) }
            return resource(absoluteURL: base?.appending(escaped: target))
        } catch {
            SiestaLog.log(.network, [error])
            return Resource(context: context, invalidURL: template)
        }
    }

    // MARK: Memory

    /// How many resources the service keeps before it drops unused ones, the least recently used first; 2048 at first.
    ///
    /// Resources in use stay, however many they are.
    public var cachedResourceCountLimit: Int {
        get { context.countLimit }
        set {
            MainQueue.check("Service.cachedResourceCountLimit")
            context.countLimit = newValue
        }
    }

    /// Drops all resources that nobody observes and nobody refers to; for when memory is low.
    public final func flushUnusedResources() {
        MainQueue.check("Service.flushUnusedResources()")
        context.flushUnused()
    }
}

extension Service: nonisolated CustomReflectable {
    /// No children: `dump` shows the type alone.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Service: nonisolated Hashable {
    /// Whether both are the same object.
    public nonisolated static func == (left: Service, right: Service) -> Bool { left === right }

    /// Hashes the identity.
    public nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
