public import Foundation
import SiestaCore
import SiestaJSON

extension ChangeConflict where Content: Encodable {
    /// Encodes the contents as JSON with `encoder`, and merges them field by field. If only one side has changed a
    /// field, the field gets the value of this side.
    ///
    ///     user.mutate(.put, body: .encoded(edited)) {
    ///         $0 = edited
    ///     } resolve: { conflict in
    ///         let merge = try conflict.merge()
    ///         guard merge.conflicts.isEmpty, let merged = merge.value else { return .giveUp }
    ///         return try .send(merged.decode(as: User.self))
    ///     }
    ///
    /// Fields that the content type does not have are not part of the merge.
    ///
    /// - Parameters:
    ///   - ids: The members that identify the elements of arrays. The default is ``JSONIdentifiers/id``.
    ///   - side: The side whose value is used for a field that both sides have changed. The default is
    ///     ``ThreeWayMerge/Side/theirs``.
    ///   - encoder: The encoder of the contents.
    /// - Throws: The error of the encoder.
    public func merge(
        ids: JSONIdentifiers = .id, preferring side: ThreeWayMerge.Side = .theirs, encoder: JSONEncoder = JSONEncoder()
    ) throws -> ThreeWayMerge {
        func json(_ content: Content?) throws -> JSONValue? {
            try content.map { try JSONValue(encoding: $0, encoder: encoder) }
        }
        return try ThreeWayMerge(
            base: json(base), mine: json(mine), theirs: json(theirs), ids: ids, preferring: side)
    }
}
