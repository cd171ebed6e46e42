/// Convenient access to content by type, for whatever has an entity: ``Entity``, ``Resource`` and ``RequestError``.
///
/// Extend it with accessors for your own types:
///
///     extension TypedContentAccessors {
///         var user: User? { typedContent() }
///     }
public protocol TypedContentAccessors {
    /// The static type of the entity's content.
    associatedtype ContentType

    /// The entity whose content is asked for, or nil if there is none.
    var entityForTypedContentAccessors: Entity<ContentType>? { get }
}

extension TypedContentAccessors {
    /// The content if there is some of type `Content`, else `defaultContent`, which is evaluated only then.
    public func typedContent<Content>(ifNone defaultContent: @autoclosure () -> Content) -> Content {
        typedContent() ?? defaultContent()
    }

    /// The content if there is some of type `Content`, else `defaultContent`, which is evaluated only then.
    public func typedContent<Content>(ifNone defaultContent: @autoclosure () -> Content?) -> Content? {
        typedContent() ?? defaultContent()
    }

    /// The content if there is some of type `Content`, else nil.
    public func typedContent<Content>() -> Content? {
        guard let entity = entityForTypedContentAccessors else { return nil }
        return entity.content as? Content
    }

    /// The content as a JSON object; empty if there is none or it is of another type.
    public var jsonDict: [String: Any] { typedContent(ifNone: [:]) }

    /// The content as a JSON array; empty if there is none or it is of another type.
    public var jsonArray: [Any] { typedContent(ifNone: []) }

    /// The content as text; empty if there is none or it is of another type.
    public var text: String { typedContent(ifNone: "") }
}

extension Entity: TypedContentAccessors {
    /// The entity itself.
    public var entityForTypedContentAccessors: Entity<ContentType>? { self }
}

extension RequestError: TypedContentAccessors {
    /// The entity that came with the error.
    public var entityForTypedContentAccessors: Entity<Any>? { entity }
}
