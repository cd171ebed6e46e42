import SiestaCore

/// An edit of content, for any type of content.
///
/// An edit runs code of the app: once when the change is made, and again after each change of the resource's data.
@MainActor
protocol ContentEdit: AnyObject {
    /// Applies the first of `edits`, which is this edit, and the directly following edits for the same type of content.
    /// Returns the number of these edits. An edit for another type of content changes nothing.
    func replay(_ edits: ArraySlice<any ContentEdit>, over content: inout Any?) -> Int

    /// The type of the content that the edit changes; nil if it changes content of any type.
    var contentType: ObjectIdentifier? { get }

    /// True if the edit replaces the whole content.
    var replacesContent: Bool { get }

    /// Returns true if the content has the type of the edit.
    func accepts(_ content: Any) -> Bool

    /// Returns the content of a response if it has the type of the edit, or can be decoded into this type; nil otherwise.
    func content(of response: FinishedResponse) async -> Any?
}

extension ContentEdit {
    var replacesContent: Bool { false }
}

/// An edit of content of one type, by a closure of the app.
final class TypedEdit<Content>: ContentEdit {
    private let edit: (inout Content) -> Void
    let contentType: ObjectIdentifier?

    init(_ edit: @escaping (inout Content) -> Void) {
        self.edit = edit
        contentType = ObjectIdentifier(Content.self)
    }

    /// Casts the content once for all edits of its type, because a cast takes longer than most edits.
    func replay(_ edits: ArraySlice<any ContentEdit>, over content: inout Any?) -> Int {
        guard var value = content as? Content else { return 1 }
        content = nil  // Otherwise an array would be copied.
        var count = 0
        for next in edits {
            guard next.contentType == contentType else { break }
            // Only this class has a content type, and it belongs to one class. A checked cast would look up the class.
            unsafeDowncast(next, to: TypedEdit.self).edit(&value)
            count += 1
        }
        content = value
        return count
    }

    func accepts(_ content: Any) -> Bool { content is Content }

    func content(of response: FinishedResponse) async -> Any? { await response.content(ofType: Content.self) }
}

/// An edit that replaces the whole content, or is the content of a resource without data.
final class ReplacingEdit<Content>: ContentEdit {
    private let new: Content
    var contentType: ObjectIdentifier? { nil }
    var replacesContent: Bool { true }

    init(_ new: Content) {
        self.new = new
    }

    func replay(_ edits: ArraySlice<any ContentEdit>, over content: inout Any?) -> Int {
        content = new
        return 1
    }

    func accepts(_ content: Any) -> Bool { content is Content }

    func content(of response: FinishedResponse) async -> Any? { await response.content(ofType: Content.self) }
}

extension FinishedResponse {
    /// Returns the content if it is of a type, or can be decoded into the type; nil otherwise, and without a body.
    @MainActor
    func content<Content>(ofType type: Content.Type) async -> Any? {
        if data?.isEmpty == true { return nil }
        if let content = content as? Content { return content }
        guard data != nil else { return nil }
        let decoded: Result<Content, RequestError>? = await decodedInBackground(with: nil)
        return try? decoded?.get()
    }
}

extension Entity<Any> {
    /// Returns `base` with edited content. Without data, the edits may create the content. Returns nil if there is no
    /// content afterwards.
    @MainActor
    static func edited(_ base: Entity<Any>?, by edits: ArraySlice<any ContentEdit>) -> Entity<Any>? {
        var content = base?.content
        var rest = edits
        while let first = rest.first { rest = rest.dropFirst(first.replay(rest, over: &content)) }
        guard let content else { return nil }
        return base?.withContent(content) ?? Entity(content: content, contentType: "application/binary")
    }
}
