import Foundation

extension Resource {
    /// The resource whose path is this one's with `subpath` appended, one slash between them.
    ///
    /// Nothing in `subpath` has a meaning: `..`, `//` and `http:` are kept, `?` and what else a path cannot hold is
    /// escaped. An empty one adds the trailing slash.
    public func child(_ subpath: String) -> Resource {
        MainQueue.checkInDebug("Resource.child(_:)")
        return isInvalid ? self : context.resource(at: subpath, below: ResourceAddress(address).pathBase)
    }

    /// The resource that `href` leads to from here, as a link does in a page (RFC 3986 §5).
    public func relative(_ href: String) -> Resource {
        MainQueue.checkInDebug("Resource.relative(_:)")
        guard !isInvalid else { return self }
        let target = href.isEmpty ? url : href.url.flatMap { _ in URL(string: href, relativeTo: url)?.absoluteURL }
        return context.resource(absoluteURL: target, source: href)
    }

    /// The same as ``relative(_:)``; nil for nil.
    public func optionalRelative(_ href: String?) -> Resource? {
        href.map(relative)
    }

    /// The resource with one query parameter set to `value`; nil removes it, an empty text leaves the bare name.
    ///
    /// Parameters are sorted by name. Others keep their values.
    public func withParam(_ name: String, _ value: String?) -> Resource {
        withParams([name: value])
    }

    /// The resource with several query parameters set or removed; see ``withParam(_:_:)``.
    public func withParams(_ params: [String: String?]) -> Resource {
        MainQueue.checkInDebug("Resource.withParams(_:)")
        return isInvalid ? self : context.resource(at: ResourceAddress(address).setting(params))
    }
}

extension ResourceContext {
    /// The resource at `url`; an invalid one, which names `source` as the reason, if that is nil.
    func resource(absoluteURL url: URL?, source: (any URLConvertible)?) -> Resource {
        guard let url else { return Resource(context: self, invalidURL: source) }
        return resource(at: url.absoluteString, url: url)
    }
}
