/// Accessors that return content as a given type. ``Entity``, ``Resource`` and ``RequestError`` conform.
///
/// To add accessors for the types of your app, extend the protocol:
///
///     extension TypedContentAccessors {
///         var user: User? { typedContent() }
///     }
public protocol TypedContentAccessors {
    /// The static type of the entity's content.
    associatedtype ContentType

    /// The entity with the content; nil if there is no entity.
    var entityForTypedContentAccessors: Entity<ContentType>? { get }
}

extension TypedContentAccessors {
    /// Returns the content if it is of type `Content`. Otherwise evaluates and returns `defaultContent`.
    public func typedContent<Content>(ifNone defaultContent: @autoclosure () -> Content) -> Content {
        typedContent() ?? defaultContent()
    }

    /// Returns the content if it is of type `Content`. Otherwise evaluates and returns `defaultContent`, which
    /// may be nil.
    public func typedContent<Content>(ifNone defaultContent: @autoclosure () -> Content?) -> Content? {
        typedContent() ?? defaultContent()
    }

    /// Returns the content if it is of type `Content`; otherwise returns nil.
    public func typedContent<Content>() -> Content? {
        guard let entity = entityForTypedContentAccessors else { return nil }
        return entity.content as? Content
    }

    /// The content as a JSON object; empty if there is no content or the content has another type.
    public var jsonDict: [String: Any] { typedContent(ifNone: [:]) }

    /// The content as a JSON array; empty if there is no content or the content has another type.
    public var jsonArray: [Any] { typedContent(ifNone: []) }

    /// The content as text; empty if there is no content or the content has another type.
    public var text: String { typedContent(ifNone: "") }
}

extension Entity: TypedContentAccessors {
    /// The entity itself.
    public var entityForTypedContentAccessors: Entity<ContentType>? { self }
}

extension RequestError: TypedContentAccessors {
    /// The ``entity`` of the error, whose content the typed accessors such as `text` and `jsonDict` read.
    public var entityForTypedContentAccessors: Entity<Any>? { entity }
}
