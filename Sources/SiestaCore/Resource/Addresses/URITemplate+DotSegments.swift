extension URITemplate {
    /// Expands the template to a path and a query that are relative to a base URL.
    ///
    /// - Throws: ``Malformation`` if the template cannot be expanded, or if the value of a variable produces a dot
    ///   segment. A dot segment, `.` or `..`, would move the reference to another folder (RFC 3986 §5.2.4).
    func reference(with variables: [String: any URITemplateVariable]) throws(Malformation) -> String {
        let pieces = try pieces(with: variables)
        var path = SegmentReader()
        for piece in pieces where !path.isAtEnd { path.read(piece) }
        path.endSegment(byValue: false)
        if let segment = path.dotSegment {
            throw Malformation(part: segment, reason: "the value of a variable makes a dot segment")
        }
        return pieces.map(\.text).joined()
    }

    /// Splits the path of an expanded template into segments, and finds dot segments that come from the values of
    /// variables.
    ///
    /// A segment belongs to the template if no expression contributed to its text or to the slash before it. An
    /// expression that expands to empty text still contributes: `/files/..{suffix}` has a dot segment only if `suffix`
    /// is empty.
    private struct SegmentReader {
        private(set) var dotSegment: String?
        /// True after the beginning of the query or the fragment.
        private(set) var isAtEnd = false
        private var segment = ""
        private var isByValue = false

        mutating func read(_ piece: Piece) {
            let isQuery = piece.style == .query || piece.style == .fragment
            let isByValue = piece.style != nil
            if isByValue, !isQuery { self.isByValue = true }
            for character in piece.text.unicodeScalars {
                switch character {
                case "?", "#": return isAtEnd = true
                case "/": endSegment(byValue: isByValue)
                default: segment.unicodeScalars.append(character)
                }
            }
        }

        mutating func endSegment(byValue isSlashByValue: Bool) {
            if isByValue || isSlashByValue, dotSegment == nil, Self.hasDotSegment(segment) { dotSegment = segment }
            (segment, isByValue) = ("", isSlashByValue)
        }

        /// Returns true if a server may find a dot segment in this segment.
        ///
        /// Many servers first decode percent-encoded characters, including `%2F` and `%5C`. Some servers remove
        /// everything after a semicolon.
        private static func hasDotSegment(_ segment: String) -> Bool {
            let decoded = segment.replacing("%2e", with: ".").replacing("%2E", with: ".")
                .replacing("%2f", with: "/").replacing("%2F", with: "/")
                .replacing("%5c", with: "/").replacing("%5C", with: "/")
                .replacing("%3b", with: ";").replacing("%3B", with: ";")
            return decoded.split(separator: "/").contains { part in
                let name = part.prefix { $0 != ";" }
                return name == "." || name == ".."
            }
        }
    }
}
