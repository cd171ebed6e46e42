import Foundation
import HTTPRules
import SiestaCore

extension MultipartForm {
    /// Encodes the form. Reads the sizes of its files to determine the length of the body.
    ///
    /// - Throws: ``RequestError/Code/unencodableBody``, or ``RequestError/Code/unreadableBody`` for a missing
    ///   file.
    func encoded() throws -> SegmentedBody {
        var (segments, text) = ([SegmentedBody.Segment](), Data())
        for part in parts {
            text += Data("--\(boundary)\r\n\(try part.head)\r\n".utf8)
            switch part.content {
            case .data(let data):
                text += data
            case .file(let file):
                segments += [.bytes(text), try .file(file)]
                text = Data()
            }
            text += Data("\r\n".utf8)
        }
        text += Data("--\(boundary)--\r\n".utf8)
        return SegmentedBody(segments: segments + [.bytes(text)])
    }
}

extension MultipartForm.Part {
    /// The headers of the part, each with its line end.
    fileprivate var head: String {
        get throws {
            var disposition = "form-data; name=\"\(Self.escaped(name.withInternetLineEnds))\""
            if let fileName { disposition += "; filename=\"\(Self.escaped(fileName))\"" }
            var lines = ["Content-Disposition: \(disposition)"]
            if let contentType { lines.append(try line("Content-Type", contentType)) }
            for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
                guard !Self.reserved.contains(name.lowercased()) else { throw invalid(name) }
                lines.append(try line(name, value))
            }
            return lines.map { $0 + "\r\n" }.joined()
        }
    }

    private static let reserved: Set = ["content-disposition", "content-type"]

    private func line(_ name: String, _ value: String) throws -> String {
        guard HeaderSyntax.isName(name), HeaderSyntax.isValue(value) else { throw invalid(name) }
        return "\(name): \(value)"
    }

    private func invalid(_ header: String) -> RequestError.Failure {
        let (part, text) = (PreparedText.line(name, limit: 100), PreparedText.line(header, limit: 100))
        return .init(
            .unencodableBody, reason: "the part \(part) has the header \(text), which cannot be sent", name: header)
    }

    /// Escapes a quoted name in the same way as browsers. Also escapes the control characters that browsers send
    /// unchanged. A header must not contain such characters (RFC 9110 §5.5), and some servers treat them as the end of
    /// a line.
    private static func escaped(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"", "\u{0}"..."\u{8}", "\u{A}"..."\u{1F}", "\u{7F}":
                result += scalar.value < 16 ? "%0" : "%"
                result += String(scalar.value, radix: 16, uppercase: true)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension String {
    /// The text with CRLF for every line end. Browsers convert the names of fields in this way, but not the names of
    /// files.
    fileprivate var withInternetLineEnds: String {
        var result = Substring().unicodeScalars
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            if scalar == "\n", previous != "\r" { result.append("\r") }
            if previous == "\r", scalar != "\n" { result.append("\n") }
            result.append(scalar)
            previous = scalar
        }
        if previous == "\r" { result.append("\n") }
        return String(result)
    }
}
