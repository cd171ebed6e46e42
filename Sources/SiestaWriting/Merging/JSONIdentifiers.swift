import SiestaJSON

/// The names of the members that identify the elements of arrays, such as `id`.
///
/// An array is compared element by element if its elements are objects with different identifiers. Each identifier must
/// be a string or a number. Other arrays are compared as a whole.
public struct JSONIdentifiers: Sendable {
    /// Identifies the elements of all arrays by their member `id`.
    public static let id = JSONIdentifiers("id")

    let `default`: String?
    let rules: [Rule]

    /// The rule for the arrays at some paths. Rules are sorted: those with the fewest `*` count first.
    struct Rule: Sendable, Hashable {
        let path: [String]
        let name: String
    }

    /// Creates identifiers for the elements of arrays.
    ///
    /// - Parameters:
    ///   - default: The name of the identifying member in arrays that match none of `paths`. If it is nil, such arrays
    ///     are compared as a whole.
    ///   - paths: A dictionary from the paths of arrays to the names of the identifying members in these arrays. A path
    ///     is a JSON pointer, such as `/orders/*/lines`, in which `*` matches any member or element. To match the
    ///     elements of an array, use `*`, because an index matches nothing. If an array matches several paths, the path
    ///     with the fewest `*` applies. A string that is not a JSON pointer matches nothing.
    public init(_ default: String?, at paths: [String: String] = [:]) {
        self.default = `default`
        rules = paths.sorted { $0.key < $1.key }
            .compactMap { path, name in JSONPointer(path).map { Rule(path: $0.tokens, name: name) } }
            .sorted { $0.stars < $1.stars }
    }

    /// The rules below the top level of a value.
    var scope: Scope { Scope(default: `default`, rules: rules[...], level: 0) }
}

extension JSONIdentifiers.Rule {
    fileprivate var stars: Int { path.count { $0 == "*" } }
}

extension JSONIdentifiers {
    /// The rules that can still match at a place inside a value.
    struct Scope {
        let `default`: String?
        let rules: ArraySlice<Rule>
        let level: Int

        /// The name of the identifier, if the value at this place is an array.
        var name: String? { rules.first { $0.path.count == level }?.name ?? `default` }

        func member(_ name: String) -> Scope { inside { $0 == "*" || $0 == name } }

        /// The scope of the elements of an array.
        var element: Scope { inside { $0 == "*" } }

        private func inside(_ matches: (String) -> Bool) -> Scope {
            let matching = rules.isEmpty ? [] : rules.filter { $0.path.count > level && matches($0.path[level]) }[...]
            return Scope(default: `default`, rules: matching, level: level + 1)
        }
    }
}
