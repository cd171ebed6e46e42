import Foundation
import SiestaTesting

/// The secrets of a session, as they were sent: tokens, the codes and verifiers of OAuth 2.0, and cookies.
struct SessionSecrets: Equatable, Sendable {
    /// The names of secrets in queries, forms and JSON.
    private static let names: Set<String> = [
        "access_token", "refresh_token", "code", "code_verifier", "client_secret", "state",
    ]
    /// The names of header fields with secrets.
    private static let headers: Set<String> = ["authorization", "cookie", "set-cookie"]

    /// The secret values.
    private(set) var values: Set<String> = []

    /// Finds the secrets in a recording that hides nothing.
    init(of archive: HARArchive) {
        for entry in archive.entries {
            add(query: URLComponents(string: entry.request.url)?.percentEncodedQuery)
            for header in entry.request.headers + entry.response.headers { add(header) }
            if let content = entry.request.body?.content { add(query: String(decoding: content, as: UTF8.self)) }
            if let content = entry.response.body.content { add(json: content) }
        }
        values = values.filter { $0.count >= 6 }
    }

    /// Returns the secrets that a file contains, as they are or percent-encoded. Also finds them in bodies that
    /// the file stores in Base64.
    func found(in file: Data) throws -> [String] {
        let entries = try HARArchive(data: file).entries
        let bodies = entries.flatMap { [$0.request.body?.content, $0.response.body.content] }
        let texts = ([file] + bodies.compactMap(\.self)).map { String(decoding: $0, as: UTF8.self) }
        return values.filter { secret in
            let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
            return texts.contains { $0.contains(secret) || $0.contains(encoded) }
        }
    }

    private mutating func add(_ header: HARArchive.Header) {
        switch header.name.lowercased() {
        case let name where Self.headers.contains(name):
            let value = header.value.prefix { $0 != ";" }
            values.formUnion(value.split { $0 == " " || $0 == "=" }.suffix(1).map(String.init))
        case "location": add(query: URLComponents(string: header.value)?.percentEncodedQuery)
        default: break
        }
    }

    private mutating func add(query: String?) {
        var components = URLComponents()
        components.percentEncodedQuery = query.flatMap { $0.contains("=") && !$0.contains("{") ? $0 : nil }
        for item in components.queryItems ?? [] where Self.names.contains(item.name) {
            item.value.map { _ = values.insert($0) }
        }
    }

    private mutating func add(json: Data) {
        let members = (try? JSONDecoder().decode([String: Member].self, from: json)) ?? [:]
        for (name, member) in members where Self.names.contains(name) {
            member.text.map { _ = values.insert($0) }
        }
    }

    /// A member of an object of JSON; only texts are of interest.
    private struct Member: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}
