import Foundation

/// A part of a document that a program writes, between two comments that name it.
public struct GeneratedSection: Sendable {
    private let begin: String
    private let end: String

    /// The section between `<!-- begin NAME -->` and `<!-- end NAME -->`.
    public init(_ name: String) {
        begin = "<!-- begin \(name) -->"
        end = "<!-- end \(name) -->"
    }

    /// The document with new content in the section; nil if it has no such section.
    public func replaced(in document: String, with content: String) -> String? {
        guard let start = document.range(of: begin)?.upperBound,
            let stop = document.range(of: end, range: start..<document.endIndex)?.lowerBound
        else { return nil }
        return document[..<start] + "\n" + content + "\n" + document[stop...]
    }
}
