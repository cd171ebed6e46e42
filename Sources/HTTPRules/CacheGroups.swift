/// The fields `Cache-Groups` and `Cache-Group-Invalidation` (RFC 9875): lists of strings.
package enum CacheGroups {
    /// The field of a response that names the groups to which the response belongs (§2).
    package static let field = "Cache-Groups"
    /// The field of the response to an unsafe request that names the groups to invalidate (§3).
    package static let invalidationField = "Cache-Group-Invalidation"

    /// Returns the groups that the value of a field names. Parameters have no meaning. If the value is not a list, or
    /// if a member is not a string, the field is ignored (RFC 9651 §4.2): the result is empty.
    package static func names(in value: String) -> Set<String> {
        guard let members = StructuredField.list(value, limit: ByteCursor.limit) else { return [] }
        var names: Set<String> = []
        for member in members {
            guard case .string(let name) = member.item?.value else { return [] }
            names.insert(name)
        }
        return names
    }
}
