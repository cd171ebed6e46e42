public import Foundation

/// A REST API: a base URL, the options for the URLs below it, and one ``Resource`` for each URL.
///
/// Subclass `Service` to describe an API in one place:
///
///     final class MyAPI: Service {
///         init() {
///             super.init(baseURL: "https://api.example.com")
///             configure("/users/*") { $0.expirationTime = 300 }
///         }
///         var profile: Resource { resource("/profile") }
///     }
///
/// Use a service on the main actor only. When nothing references a service any more, the service is released together
/// with its unused resources.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
open class Service {
    package let context: ResourceContext

    /// The base URL of the resources, with a slash at the end of its path; nil if the service has no base URL.
    public var baseURL: URL? { context.baseURL }

    /// The base URL, prepared for paths; nil if the service has no base URL.
    package let base: BaseURL?

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL, as a `String` or a `URL`. If its path does not end with a slash, a slash is added. If
    ///     the service has no base URL, get its resources with ``resource(absoluteURL:)``.
    ///   - standardTransformers: The transformers that resources have by default.
    ///   - networking: The provider, `URLSession` or `URLSessionConfiguration` that sends the requests. The default is
    ///     libcurl on Linux and `URLSession` elsewhere; see ``DefaultNetworking``.
    public init(
        baseURL: (any URLConvertible)? = nil, standardTransformers: [StandardTransformer] = [.json, .text, .image],
        networking: any NetworkingProviderConvertible = DefaultNetworking()
    ) {
        (context, base) = Self.context(baseURL, networking, .inMemory)
        setUp(standardTransformers)
    }

    /// Creates a service that keeps its cookies in the given storage; see ``CookieStorage``.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL, as a `String` or a `URL`. If its path does not end with a slash, a slash is added. If
    ///     the service has no base URL, get its resources with ``resource(absoluteURL:)``.
    ///   - standardTransformers: The transformers that resources have by default.
    ///   - networking: The provider, `URLSession` or `URLSessionConfiguration` that sends the requests. The default is
    ///     libcurl on Linux and `URLSession` elsewhere; see ``DefaultNetworking``.
    ///   - cookies: The storage for the cookies. The initializer without this parameter uses
    ///     ``CookieStorage/inMemory``.
    public init(
        baseURL: (any URLConvertible)? = nil, standardTransformers: [StandardTransformer] = [.json, .text, .image],
        networking: any NetworkingProviderConvertible = DefaultNetworking(), cookies: CookieStorage
    ) {
        (context, base) = Self.context(baseURL, networking, cookies)
        setUp(standardTransformers)
    }

    private static func context(
        _ baseURL: (any URLConvertible)?, _ networking: any NetworkingProviderConvertible, _ cookies: CookieStorage
    ) -> (ResourceContext, BaseURL?) {
        MainQueue.check("Service.init()")
        let url = baseURL?.url.flatMap { URL(string: ResourceAddress($0.absoluteString).appending(path: "")) }
        let context = ResourceContext(
            baseURL: url, networking: networking.siestaNetworkingProvider, cookies: cookies, clock: .current)
        return (context, url.map { ResourceAddress($0.absoluteString).pathBase })
    }

    private func setUp(_ standardTransformers: [StandardTransformer]) {
        context.service = self
        if let pressure = MemoryPressure.automatic { flushUnusedResources(under: pressure) }
        for transformer in standardTransformers {
            configure(description: "standard transformer: \(transformer.name)") { $0.pipeline.add(transformer) }
        }
    }

    /// Creates a replacement for a service that was released while the app still used its resources.
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

    /// Returns the resource at ``baseURL`` with `path` appended.
    ///
    /// `path` is taken literally: `..`, `//` and `http:` have no special meaning. `?`, `%` and other characters that a
    /// path cannot contain are escaped. A slash at the beginning of `path` makes no difference. For query parameters,
    /// see ``Resource/withParam(_:_:)``. If the service has no base URL, all requests of the resource fail.
    public final func resource(_ path: String) -> Resource {
        MainQueue.checkInDebug("Service.resource(_:)")
        guard let base else { return Resource(context: context, invalidURL: path) }
        return context.resource(at: path, below: base)
    }

    /// Returns the resource whose URL is `path` appended to the argument `baseURL`, which replaces the service's own
    /// ``baseURL``; see ``resource(_:)``. If `baseURL` is nil or not a URL, all requests of the resource fail.
    public final func resource(baseURL: (any URLConvertible)?, path: String) -> Resource {
        MainQueue.checkInDebug("Service.resource(baseURL:path:)")
        guard let url = baseURL?.url else { return Resource(context: context, invalidURL: baseURL) }
        return context.resource(at: path, below: ResourceAddress(url.absoluteString).pathBase)
    }

    /// Returns the resource at a URL. The URL need not be below ``baseURL``. The configuration rules that match the URL
    /// apply to the resource.
    ///
    /// If `absoluteURL` is nil or not a URL, all requests of the resource fail with the cause
    /// ``RequestError/Cause/InvalidURL``.
    public final func resource(absoluteURL: (any URLConvertible)?) -> Resource {
        MainQueue.checkInDebug("Service.resource(absoluteURL:)")
        guard absoluteURL != nil else { return Resource(context: context, invalidURL: nil) }
        if let address = absoluteURL as? String, let known = context.known(at: address) { return known }
        return context.resource(absoluteURL: absoluteURL?.url?.absoluteURL, source: absoluteURL)
    }

    /// Returns the resource at the URL that a template (RFC 6570) and variables produce.
    ///
    ///     service.resource(template: "/repos/{owner}/{repo}{?page}", ["owner": "apple", "repo": "swift", "page": page])
    ///
    /// Unless the template begins with a scheme, the URL is below ``baseURL``: no variable can change the host, or lead
    /// to a parent folder. If the template begins with a scheme, the expanded template itself is the URL. Values are
    /// escaped as the template specifies. A slash at the beginning of the template makes no difference.
    ///
    /// In the following cases, all requests of the resource fail, and the error contains the template instead of a URL:
    ///
    /// - The template is malformed, or the result is not a URL.
    /// - The value of a variable produces a dot segment: `.` or `..`. Percent-encoded dots count as dots. The segments
    ///   `..;x` (with parameters) and `a%2F..` (with an encoded slash) also count as dot segments. A value can also
    ///   form a dot segment together with the template, such as `.` in `/users/.{name}`.
    public final func resource(
        template: String, _ variables: [String: any URITemplateVariable] = [:]
    ) -> Resource {
        do throws(URITemplate.Malformation) {
            let parsed = try URITemplate(template)
            let target = try parsed.reference(with: variables)
            if parsed.hasScheme { return resource(absoluteURL: target) }
            guard let base else { return Resource(context: context, invalidURL: template) }
            return resource(absoluteURL: base.appending(escaped: target))
        } catch {
            SiestaLog.log(.network, [error])
            return Resource(context: context, invalidURL: template)
        }
    }

    // MARK: Memory

    /// The number of resources above which the service drops unused resources, starting with the least recently used.
    /// The default is 2048.
    ///
    /// The service never drops resources in use, even if their number exceeds the limit.
    public var cachedResourceCountLimit: Int {
        get { context.countLimit }
        set {
            MainQueue.check("Service.cachedResourceCountLimit")
            context.countLimit = newValue
        }
    }

    /// The maximum total size of unused resources, in bytes. The default is nil, which means no limit.
    ///
    /// Above this size, the service drops unused resources, starting with the least recently used. It never drops
    /// resources in use, and their sizes are not part of the total. A negative limit counts as 0.
    ///
    /// The size of a resource is the size of the body that produced its content, after content decoding. If this size
    /// is unknown, for example because the content comes from a persistent cache, the size of the content is used if
    /// the content is `Data` or text, and the value of the `Content-Length` header otherwise. The service checks the
    /// limit whenever the bodies that were loaded since the last check add up to one sixteenth of the limit.
    public var cachedResourceByteLimit: Int? {
        get { context.byteLimit }
        set {
            MainQueue.check("Service.cachedResourceByteLimit")
            context.byteLimit = newValue.map { max(0, $0) }
        }
    }

    /// Drops all resources that have no observers and that the app does not reference. Call this method when memory is
    /// low.
    ///
    /// If all owners of an observer were released, the observation ends during this call: the observer's
    /// `stoppedObserving(resource:)` is called before this method returns. If the resource is then unused, it is also
    /// dropped.
    ///
    /// On Apple platforms, every service calls this method itself when the system reports low memory. On Linux, call
    /// ``flushUnusedResources(under:)`` to get the same behavior.
    public final func flushUnusedResources() {
        MainQueue.check("Service.flushUnusedResources()")
        context.flushUnused()
    }
}

extension Service: nonisolated CustomReflectable {
    /// An empty mirror, so that `dump` shows only the type.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Service: nonisolated Hashable {
    /// Returns true if both services are the same object.
    public nonisolated static func == (left: Service, right: Service) -> Bool { left === right }

    /// Hashes the identity of the service.
    public nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
