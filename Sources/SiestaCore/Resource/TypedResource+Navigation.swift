extension TypedResource {
    /// Returns the resource whose path consists of the path of this resource and `subpath`, as a typed resource with
    /// content of type `type`; see ``Resource/child(_:)``.
    ///
    ///     let ada = users.child("42", as: User.self)
    public func child<Other: Sendable>(_ subpath: String, as type: Other.Type = Other.self) -> TypedResource<Other> {
        resource.child(subpath).typed()
    }

    /// Returns the resource to which the link `href` leads, as a typed resource with content of type `type`; see
    /// ``Resource/relative(_:)``.
    ///
    ///     let next = page.relative("?page=2", as: Page.self)
    public func relative<Other: Sendable>(_ href: String, as type: Other.Type = Other.self) -> TypedResource<Other> {
        resource.relative(href).typed()
    }

    /// Returns the same resource as ``relative(_:as:)``, or nil if `href` is nil.
    public func optionalRelative<Other: Sendable>(
        _ href: String?, as type: Other.Type = Other.self
    ) -> TypedResource<Other>? {
        resource.optionalRelative(href)?.typed()
    }

    /// Returns the resource with one query parameter set or removed, as a typed resource with the same type of content;
    /// see ``Resource/withParam(_:_:)``.
    public func withParam(_ name: String, _ value: String?) -> TypedResource {
        resource.withParam(name, value).typed()
    }

    /// Returns the resource with several query parameters set or removed, as a typed resource with the same type of
    /// content; see ``Resource/withParams(_:)``.
    public func withParams(_ params: [String: String?]) -> TypedResource {
        resource.withParams(params).typed()
    }
}
