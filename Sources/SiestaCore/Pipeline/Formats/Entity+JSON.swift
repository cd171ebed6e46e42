import Foundation
import HTTPRules

extension Entity<Data> {
    /// The content as a JSON text in an encoding that parsers detect.
    ///
    /// JSON is UTF-8, whatever its label says (RFC 8259 §8.1 and §11). If the bytes are not UTF-8, the label is the
    /// only explanation, and they are converted from its character set.
    var json: Data {
        guard let charset, !charset.lowercased().hasPrefix("utf-"), String(validating: content, as: UTF8.self) == nil,
            let text = Charset(ianaName: charset)?.decode(content)
        else { return content }
        return Data(text.utf8)
    }
}
