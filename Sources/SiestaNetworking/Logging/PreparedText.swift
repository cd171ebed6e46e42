package import Foundation
import HTTPRules

/// Functions that prepare text before it leaves the library: every log line, description and error passes through them.
///
/// URLs lose their user info, their fragment and the values of their query items; see ``SiestaLog/shownQueryItems``.
/// Control characters are escaped, so that text from a server cannot begin a new line or move a cursor. The length of
/// texts is limited.
package enum PreparedText {
    /// Returns text for a log line or a description, with at most `limit` characters.
    package static func line(_ text: String, limit: Int = 2000) -> String {
        PlainText.line(urlText.preparingAll(in: text), limit: limit)
    }

    /// Returns text from a server or a network, for people to read.
    package static func words(_ text: String) -> String {
        PlainText.words(urlText.preparingAll(in: text), limit: 1000)
    }

    /// Returns a URL for a log line. The text need not be a valid URL.
    package static func url(_ url: String) -> String {
        PlainText.line(urlText(url), limit: 2000)
    }

    /// Returns a URL for a log line.
    package static func url(_ url: URL?) -> String {
        url.map { self.url($0.absoluteString) } ?? "no URL"
    }

    /// Returns one part of a log message. URLs and errors may be passed unchanged.
    static func part(_ part: Any) -> String {
        switch part {
        case let url as URL: self.url(url)
        case let error as any Error: self.error(error)
        default: String(describing: part)
        }
    }

    private static var urlText: URLText { URLText(shownParameters: SiestaLog.allShownQueryItems) }
}

extension PreparedText {
    /// Returns the description of an error. Removes the request's URL and the pieces of the body, which Foundation's
    /// errors contain.
    package static func error(_ error: any Error) -> String { self.error(error, depth: 8) }

    /// - Parameter depth: the maximum number of nested errors that are described.
    private static func error(_ error: any Error, depth: Int) -> String {
        guard depth > 0 else { return URLText.mark }
        return switch error {
        case let error as DecodingError: decoding(error)
        case EncodingError.invalidValue(_, let context): "EncodingError.invalidValue at \(path(context.codingPath))"
        case let error as URLError: foundation(error as NSError, depth)
        case let error as CocoaError: foundation(error as NSError, depth)
        case let error as POSIXError: foundation(error as NSError, depth)
        case let error as any CustomStringConvertible where type(of: error) is NSError.Type == false:
            line(error.description)
        default:
            type(of: error) is NSError.Type
                ? foundation(error as NSError, depth) : line(wrapper(error, depth) ?? String(describing: error))
        }
    }

    /// Returns the name of an error that contains other errors, and their descriptions. Returns nil if it contains no
    /// error.
    private static func wrapper(_ error: any Error, _ depth: Int) -> String? {
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle != .enum else {
            guard let (name, value) = mirror.children.first else { return nil }
            let tuple = Mirror(reflecting: value)
            let texts = described(tuple.displayStyle == .tuple ? Array(tuple.children) : [(nil, value)], depth)
            return texts.map { "\(name ?? "")(\($0))" }
        }
        return described(mirror.children, depth).map { "\(type(of: error))(\($0))" }
    }

    private static func described(_ children: some Collection<Mirror.Child>, _ depth: Int) -> String? {
        guard children.contains(where: { $0.value is any Error }) else { return nil }
        return children.map { label, value in
            let text = (value as? any Error).map { error($0, depth: depth - 1) } ?? String(describing: value)
            return label.flatMap { $0.hasPrefix(".") ? nil : "\($0): \(text)" } ?? text
        }.joined(separator: ", ")
    }

    private static func foundation(_ error: NSError, _ depth: Int) -> String {
        let details = error.userInfo
        let words = details["NSDebugDescription"] ?? details[NSLocalizedDescriptionKey]
        let underlying = words == nil ? details[NSUnderlyingErrorKey] as? any Error : nil
        var text = words.map { String(describing: $0) } ?? underlying.map { self.error($0, depth: depth - 1) }
        if error.domain == NSCocoaErrorDomain, error.code == CocoaError.propertyListReadCorrupt.rawValue {
            // The other text quotes the body.
            text = text?.firstMatch(of: #/line \d+, column \d+/#).map { String($0.output) }
        }
        return line("\(error.domain) \(error.code)" + (text.map { ": \($0)" } ?? ""))
    }

    private static func decoding(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context):
            "DecodingError.typeMismatch: no \(type) at \(path(context.codingPath))"
        case .valueNotFound(let type, let context):
            "DecodingError.valueNotFound: no \(type) at \(path(context.codingPath))"
        case .keyNotFound(let key, let context):
            "DecodingError.keyNotFound: no \(name(of: key)) at \(path(context.codingPath))"
        case .dataCorrupted(let context): "DecodingError.dataCorrupted at \(path(context.codingPath))"
        @unknown default: "DecodingError"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "the top level" : line(keys.map(name).joined(separator: "."))
    }

    /// Returns an index, or the name that a type gives a key. Returns `*` for the key of a dictionary, because this key
    /// comes from the body.
    private static func name(of key: any CodingKey) -> String {
        if let index = key.intValue { return String(index) }
        let mirror = Mirror(reflecting: key)
        return mirror.displayStyle == .enum && mirror.children.isEmpty ? line(key.stringValue) : "*"
    }
}
