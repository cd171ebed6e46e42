import HTTPRules

/// The `Accept` field (RFC 9110 §12.5.1) for a pipeline. Pure.
enum AcceptField {
    /// Returns the media ranges that the transformers of successes read, with their qualities. Returns nil if no
    /// transformer names a type.
    static func value(for pipeline: Pipeline) -> String? {
        let stages = pipeline.order.map { pipeline[$0] }
        let filtered = stages.flatMap(\.transformers).compactMap { $0.filter?.contentTypes }
        let ranges = stages.flatMap(\.decodedTypes) + filtered.joined().compactMap(range)
        return ranges.isEmpty ? nil : value(for: ranges)
    }

    /// Joins ranges, the most specific first. Each range occurs once.
    private static func value(for ranges: [String]) -> String {
        var types: [String] = []
        for range in ranges where range != "*/*" && !types.contains(range) { types.append(range) }
        let exact = types.filter { !$0.hasSuffix("*") }
        let wide = types.filter { $0.hasSuffix("*") }.map { "\($0);q=0.5" }
        return (exact + wide + ["*/*;q=0.1"]).joined(separator: ", ")
    }

    /// Returns the media range for a pattern of content types. Returns nil if no range means the same.
    ///
    /// A range can have a star only for the whole type or subtype. For a pattern with any type, such as `*/json`, the
    /// range is that of the type `application`.
    private static func range(_ pattern: String) -> String? {
        let parts = pattern.lowercased().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(HeaderSyntax.isName) else { return nil }
        let (type, subtype) = (parts[0], parts[1])
        if subtype == "*" { return type == "*" || !type.contains("*") ? "\(type)/*" : nil }
        guard !subtype.contains("*") else { return nil }
        if type == "*" { return "application/\(subtype)" }
        return type.contains("*") ? nil : "\(type)/\(subtype)"
    }
}
