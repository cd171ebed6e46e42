/// Reads the `Link` header (RFC 8288 §3), as far as it is used for paging.
enum LinkHeader {
    /// The target of the first link with a relation; relation types match without regard to case.
    static func target(of relation: String, in header: String) -> String? {
        var rest = header[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let target = rest[rest.index(after: start)..<end]
            let parameters = rest[rest.index(after: end)...].prefix { $0 != "<" }
            if relations(in: parameters).contains(relation.lowercased()) { return String(target) }
            rest = rest[parameters.endIndex...]
        }
        return nil
    }

    private static func relations(in parameters: Substring) -> [String] {
        for parameter in parameters.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != "\"" } }
            guard parts.count == 2, parts[0].filter({ $0 != " " }).lowercased() == "rel" else { continue }
            return parts[1].split(separator: " ").map { $0.lowercased() }
        }
        return []
    }
}
