import Foundation
import JSONCoding
import SiestaCore
import SiestaJSON

/// An edit that was stored as the difference between the JSON of the content before and after it.
///
/// After a restart, the difference is applied to the content that the resource has then. The content must be `Codable`,
/// the result of `JSONSerialization`, or the bytes of JSON. Other content stays as it is.
final class StoredDelta: ContentEdit {
    private let delta: JSONDelta
    private let encoder: ConfiguredEncoder
    private let decoder: ConfiguredDecoder
    /// The type of the content that was edited last; nil before.
    private var type: Any.Type?
    var contentType: ObjectIdentifier? { nil }
    var replacesContent: Bool { delta.replacesValue }

    init(_ delta: JSONDelta, for resource: Resource) {
        let configuration = resource.configuration(for: .get)
        (self.delta, encoder, decoder) = (delta, configuration.encoding, configuration.decoding)
    }

    /// Converts the content once for all deltas in a row, because a conversion takes longer than a delta. If the result is
    /// no content, applies them one by one, and leaves out those that fail.
    func replay(_ edits: ArraySlice<any ContentEdit>, over content: inout Any?) -> Int {
        guard let old = content else { return 1 }
        let row: [StoredDelta] = edits.lazy.map { $0 as? StoredDelta }.prefix { $0 != nil }.compactMap { $0 }
        for edit in row { edit.type = Swift.type(of: old) }
        if let new = try? applied(row.map(\.delta), to: old) {
            content = new
        } else {
            for edit in row { content = content.map { (try? edit.applied([edit.delta], to: $0)) ?? $0 } }
        }
        return row.count
    }

    private func applied(_ deltas: [JSONDelta], to content: Any) throws -> Any {
        guard deltas.contains(where: { !$0.isEmpty }) else { return content }
        if let bytes = content as? Data { return try applied(deltas, toJSON: bytes) }
        if let content = content as? any Codable { return try applied(deltas, toCodable: content) }
        // On Apple platforms, `JSONSerialization` raises an exception for other objects, which cannot be caught. The array
        // is there for content that is a fragment.
        guard JSONSerialization.isValidJSONObject([content]) else { return content }
        let bytes = try JSONSerialization.data(withJSONObject: content, options: .fragmentsAllowed)
        return try JSONCoding.object(with: applied(deltas, toJSON: bytes), usingFoundation: decoder.usesFoundation)
    }

    private func applied<Content: Codable>(_ deltas: [JSONDelta], toCodable content: Content) throws -> Any {
        try decoder.decode(Content.self, applied(deltas, toJSON: encoder.encode(content)))
    }

    private func applied(_ deltas: [JSONDelta], toJSON bytes: Data) throws -> Data {
        try deltas.reduce(JSONValue(parsing: bytes)) { $1.applied(to: $0) }.data
    }

    func accepts(_ content: Any) -> Bool { type == nil || Swift.type(of: content) == type }

    /// Without content, nothing says which type it has: what the pipeline of loads does not accept is no content.
    func content(of response: FinishedResponse) async -> Any? {
        guard type != nil, response.data?.isEmpty != true, accepts(response.content) else { return nil }
        return response.content
    }
}

extension ContentEdit {
    /// Returns the edit of an entity in a form that can be stored. If there is no content, or if its content has no JSON
    /// form, the stored edit changes nothing. After a restart, it tells that the resource lacks the change.
    func stored(over entity: Entity<Any>?, for resource: Resource) -> Data {
        let encoder = resource.configuration(for: .get).encoding
        let edited = Entity.edited(entity, by: [self])
        guard let after = edited.flatMap({ Self.json($0.content, encoder) }) else { return JSONDelta(change: nil).data }
        guard !replacesContent else { return JSONDelta(replacingBy: after).data }
        let before = entity.flatMap { Self.json($0.content, encoder) } ?? .null
        return JSONDelta(from: before, to: after).withoutReplacement.data
    }

    private static func json(_ content: Any, _ encoder: ConfiguredEncoder) -> JSONValue? {
        encoder.json(of: content).flatMap { try? JSONValue(parsing: $0) }
    }
}
