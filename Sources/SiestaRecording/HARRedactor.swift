import Foundation
import HTTPRules
import SiestaCore

/// Removes secrets from the parts of an exchange, by the rules of a ``HARRecorder/Redaction``. Pure, except that it
/// takes the rules of the log at its creation.
struct HARRedactor: Sendable {
    /// The text in place of a secret.
    static let mark = "REDACTED"

    private let literals: SecretLiterals
    private let hidesSecretNames: Bool
    private let secretNames: Set<String>
    private let secretHeaders: Set<String>
    private let urlText: URLText

    init(_ redaction: HARRecorder.Redaction) {
        literals = SecretLiterals(redaction.secrets, mark: Self.mark)
        hidesSecretNames = redaction.hidesSecretNames
        secretNames = Set(redaction.secretNames.map { $0.lowercased() })
        secretHeaders = SiestaLog.allRedactedHeaders.union(secretNames)
        let shown = SiestaLog.allShownQueryItems.union(redaction.shownQueryItems.map { $0.lowercased() })
        urlText = URLText(shownParameters: shown.subtracting(secretNames))
    }

    /// Returns a description without secrets.
    func text(_ text: String) -> String { literals.replacing(in: text) }

    // MARK: URLs

    /// Returns the URL without secrets and without its fragment. A redacted URL does not change.
    func url(_ url: String) -> String {
        let url = literals.replacing(in: url).prefix { $0 != "#" }
        guard hidesSecretNames else { return String(url) }
        let path = url.prefix { $0 != "?" }
        let prepared = urlText(String(path)).replacing(URLText.mark, with: Self.mark)
        guard path.endIndex < url.endIndex else { return prepared }
        let items = url[path.endIndex...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
        return prepared + "?" + items.map(queryItem).joined(separator: "&")
    }

    private func queryItem(_ item: Substring) -> String {
        let text = "?\(item)"
        guard urlText(text) != text else { return String(item) }
        let name = item.prefix { $0 != "=" }
        let value = item[name.endIndex...].dropFirst()
        guard !value.isEmpty else { return Self.isMarked(item) ? String(item) : Self.fingerprint(item) }
        if Self.isMarked(value) { return String(item) }
        let decoded = QueryText.items(of: String(item)).first?.name ?? String(name)
        let isSecret = SecretNames.include(decoded, among: secretNames.union(SecretNames.ofParameters))
        return "\(name)=\(isSecret ? Self.mark : Self.fingerprint(value))"
    }

    /// Returns the mark and 16 bits of a digest: too little to find the value, but enough to distinguish values.
    private static func fingerprint(_ value: Substring) -> String {
        "\(mark)-\(SHA256.hexadecimal(of: String(value)).prefix(4))"
    }

    private static func isMarked(_ text: Substring) -> Bool {
        text.hasPrefix(mark) && (text.utf8.count == mark.utf8.count || text.dropFirst(mark.count).hasPrefix("-"))
    }

    // MARK: Header fields

    /// Returns the fields without secrets, in the same order.
    func headers(_ fields: [(name: String, value: String)]) -> [HARArchive.Header] {
        fields.map { HARArchive.Header(name: $0.name, value: value(of: $0.name, $0.value)) }
    }

    private func value(of name: String, _ value: String) -> String {
        guard hidesSecretNames else { return literals.replacing(in: value) }
        if SecretHeaders.include(name, among: secretHeaders) || !StreamSafety.allows(value) { return Self.mark }
        return switch name.lowercased() {
        case "location", "content-location", "referer": url(value)
        case "link":
            urls(in: value).replacing(#/<([^<>]*)>/#.matchingSemantics(.unicodeScalar)) {
                "<" + url(String($0.output.1)) + ">"
            }
        case "refresh":
            urls(in: value).replacing(
                #/(url\s*=\s*["']?)([^"']+)/#.ignoresCase().matchingSemantics(.unicodeScalar)
            ) { "\($0.1)" + url(String($0.2)) }
        default: urls(in: value)
        }
    }

    /// Returns the text with all its complete URLs redacted.
    private func urls(in text: String) -> String {
        CompleteURLs.mapping(in: literals.replacing(in: text), url)
    }

    // MARK: Bodies

    /// Returns the text without the user info and the secret items of its complete URLs. Other items do not change,
    /// because an app may show them.
    private func secretsOfURLs(in text: String) -> String {
        CompleteURLs.mapping(in: text) { url in
            guard StreamSafety.allows(url) else { return Self.mark }
            let start = url.prefix { $0 != "?" && $0 != "#" }
            let rest = url[start.endIndex...]
            return urlText(String(start)).replacing(URLText.mark, with: Self.mark)
                + rest.replacing(#/([?&#;])([^=&#;?]+)=([^&#;]+)/#.matchingSemantics(.unicodeScalar)) { item in
                    let name = QueryText.items(of: "\(item.2)=").first?.name ?? String(item.2)
                    return isSecretField(name) ? "\(item.1)\(item.2)=\(Self.mark)" : String(item.0)
                }
        }
    }

    /// Returns the body without secrets, in the same encoding.
    ///
    /// - Parameter isCut: True if it is only the first part of a body.
    func body(_ body: Data, contentType: String, isCut: Bool = false) -> Data {
        let contentType = StreamSafety.safe(contentType)
        let wide = WideText(body, contentType: contentType)?.changing { narrow($0, contentType, isCut) }
        // The content type may name a wrong encoding, in which the body contains no secret.
        if let wide, wide != body { return wide }
        return narrow(body, contentType, isCut)
    }

    private func narrow(_ body: Data, _ contentType: String, _ isCut: Bool) -> Data {
        var bytes = [UInt8](body)
        if hidesSecretNames {
            if contentType.lowercased().contains("x-www-form-urlencoded") {
                bytes = json(form(bytes))
            } else if let boundary = MultipartText.boundary(in: contentType) {
                bytes = MultipartText.mappingParts(of: bytes, boundary: boundary) { names, content in
                    names.contains(where: isSecretField) ? Array(Self.mark.utf8) : json(content)
                }
            } else {
                bytes = json(bytes)
            }
        }
        return Data(literals.replacing(in: bytes, isCut: isCut))
    }

    /// Returns the bytes without the secret members if they seem to be JSON, or contain it.
    private func json(_ bytes: [UInt8]) -> [UInt8] {
        guard Self.mayContainJSON(bytes) else { return bytes }
        let isGrant = Data(bytes).range(of: Data("grant_type".utf8)) != nil
        return JSONRedaction.redacting(bytes, mark: Self.mark) { name in
            isGrant ? isSecretField(name) : SecretNames.include(name, among: secretNames)
        } changingURLs: {
            secretsOfURLs(in: $0)
        }
    }

    /// Returns true if a text may contain JSON. It may follow a prefix against scripts, such as `)]}',`, and the names
    /// of fields, as in a stream of events. Markup and binary data do not count.
    private static func mayContainJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { !" \n\r\t\u{FEFF}".utf8.contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return true }
        return first != UInt8(ascii: "<") && !bytes.prefix(1024).contains(0) && bytes.contains(UInt8(ascii: "\""))
    }

    private func form(_ bytes: [UInt8]) -> [UInt8] {
        let items = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = items.map { item in
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return item }
            let name = QueryText.items(of: String(decoding: item[...equals], as: UTF8.self)).first?.name ?? ""
            return isSecretField(name) ? item[...equals] + Self.mark.utf8 : item
        }
        return Array(kept.joined(separator: "&".utf8))
    }

    private func isSecretField(_ name: String) -> Bool {
        SecretNames.include(name, among: secretNames.union(SecretNames.ofParameters))
    }
}
