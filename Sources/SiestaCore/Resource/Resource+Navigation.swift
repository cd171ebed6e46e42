package import Foundation
import HTTPRules

extension Resource {
    /// Returns the resource whose path consists of the path of this resource and `subpath`, separated by exactly one
    /// slash.
    ///
    /// `subpath` is taken literally: `..`, `//` and `http:` have no special meaning. `?` and other characters that a
    /// path cannot contain are escaped. An empty `subpath` adds a slash at the end.
    public func child(_ subpath: String) -> Resource {
        MainQueue.checkInDebug("Resource.child(_:)")
        return isInvalid ? self : context.resource(at: subpath, below: ResourceAddress(location).pathBase)
    }

    /// Returns the resource to which the link `href` leads. A relative link is resolved against the URL of this
    /// resource (RFC 3986 §5).
    public func relative(_ href: String) -> Resource {
        MainQueue.checkInDebug("Resource.relative(_:)")
        guard !isInvalid else { return self }
        let target = href.isEmpty ? url : URL(reference: href, relativeTo: url)
        return context.resource(absoluteURL: target, source: href)
    }

    /// Returns the same resource as ``relative(_:)``, or nil if `href` is nil.
    public func optionalRelative(_ href: String?) -> Resource? {
        href.map(relative)
    }

    /// Returns the resource whose URL is that of this resource with one query parameter set to `value`. Nil removes the
    /// parameter. An empty string adds the name without `=`.
    ///
    /// Other parameters keep their values. All parameters of the new URL are sorted by name.
    public func withParam(_ name: String, _ value: String?) -> Resource {
        withParams([name: value])
    }

    /// Returns the resource whose URL is that of this resource with several query parameters set or removed; see
    /// ``withParam(_:_:)``.
    public func withParams(_ params: [String: String?]) -> Resource {
        MainQueue.checkInDebug("Resource.withParams(_:)")
        return isInvalid ? self : context.resource(at: ResourceAddress(location).setting(params))
    }
}

extension ResourceContext {
    /// Returns the resource at `url`. If `url` is nil, returns an invalid resource, whose errors contain `source`.
    package func resource(absoluteURL url: URL?, source: (any URLConvertible)?) -> Resource {
        guard let url else { return Resource(context: self, invalidURL: source) }
        return resource(at: url.absoluteString, url: url)
    }
}
