/// Makes text from anywhere safe to show: what comes out cannot move the cursor, change a mode, reorder or hide other
/// text.
///
/// - Line breaks and tabs become one space each.
/// - Other control characters (C0, DEL, C1) and the bidirectional ones become U+FFFD, so that it shows something was
///   there.
/// - Other invisible characters are dropped: they could only make two names look alike. A joiner stays inside a
///   cluster, where emoji and several scripts need it.
/// - A character keeps 16 scalars at most, so that a row of `n` columns is never many times `n` bytes.
///
/// Cleaning clean text changes nothing.
enum DisplayText {
    private static let longestCluster = 16

    static func clean(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.replacingCarriageReturns.unicodeScalars {
            if let shown = shown(scalar) { scalars.append(shown) }
        }
        return clusters(of: String(scalars))
    }

    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x20...0x7E: return scalar
        case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: return " "
        case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return "\u{FFFD}"
        case 0x200C, 0x200D: return scalar
        default: return isInvisible(scalar.properties) ? nil : scalar
        }
    }

    private static func isInvisible(_ properties: Unicode.Scalar.Properties) -> Bool {
        properties.generalCategory == .format
            || properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }

    private static func clusters(of text: String) -> String {
        var clean = ""
        for character in text {
            let scalars = character.unicodeScalars
            let first = scalars[scalars.startIndex]
            if first.value == 0x200C || first.value == 0x200D { continue }
            if scalars.dropFirst(longestCluster).isEmpty {
                clean.append(character)
            } else {
                clean.unicodeScalars.append(contentsOf: scalars.prefix(longestCluster))
            }
        }
        return clean
    }
}

extension String {
    /// A carriage return with its line feed is one line break.
    fileprivate var replacingCarriageReturns: String {
        contains("\r\n") ? String(map { $0 == "\r\n" ? "\n" : $0 }) : self
    }
}
