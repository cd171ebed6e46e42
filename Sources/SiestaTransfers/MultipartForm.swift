public import Foundation
import SiestaCore

/// A form with an ordered list of parts: text, data, and files (`multipart/form-data`, RFC 7578). The library reads
/// files while it sends them.
///
///     var form = MultipartForm()
///     form.append("Holiday", name: "title")
///     form.append(file: photoURL, name: "photo", contentType: "image/jpeg")
///     album.request(.post, body: .multipart(form)).onProgress { print("\(Int($0 * 100)) %") }
///
/// Names and file names are written in UTF-8, and escaped as browsers do (HTML Living Standard, "multipart/form-data
/// encoding algorithm"): `"`, carriage return and line feed become `%22`, `%0D` and `%0A`. All other control
/// characters, except the tab, are also percent-encoded. Values are sent unchanged, byte for byte. The boundary between
/// the parts has more than a hundred random bits, so that an attacker cannot create content that contains the boundary.
public struct MultipartForm: Sendable {
    /// The parts in the order in which they are sent.
    private(set) var parts: [Part] = []

    /// The separator between the parts.
    let boundary: String

    /// Creates a form without parts.
    public init() {
        self.init(boundary: Self.randomBoundary())
    }

    init(boundary: String) {
        self.boundary = boundary
    }

    /// The value of the `Content-Type` header of a request with this form.
    package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Adds a text field. As in a browser, its value is encoded in UTF-8, and the part has no content type.
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - name: The name of the field.
    ///   - headers: Additional headers, sent in the order of their names. RFC 7578 §4.8 does not allow such headers, and
    ///     most servers ignore them. If they include `Content-Disposition` or `Content-Type`, the form is not sent, and
    ///     the request fails with ``RequestError/Code/unencodableBody``.
    public mutating func append(_ text: String, name: String, headers: [String: String] = [:]) {
        append(Part(name: name, content: .data(Data(text.utf8)), headers: headers))
    }

    /// Adds a part with bytes that are in memory.
    public mutating func append(
        _ data: Data, name: String, fileName: String? = nil, contentType: String = "application/octet-stream",
        headers: [String: String] = [:]
    ) {
        append(
            Part(name: name, content: .data(data), fileName: fileName, contentType: contentType, headers: headers))
    }

    /// Adds the content of a file. The file is read when the form is sent. If `fileName` is nil, the part's file name
    /// is the last path component of `file`.
    public mutating func append(
        file: URL, name: String, fileName: String? = nil, contentType: String = "application/octet-stream",
        headers: [String: String] = [:]
    ) {
        append(
            Part(
                name: name, content: .file(file), fileName: fileName ?? file.lastPathComponent,
                contentType: contentType, headers: headers))
    }

    /// Adds a part at the end.
    mutating func append(_ part: Part) {
        parts.append(part)
    }

    private static func randomBoundary() -> String {
        let random = (0..<2).map { _ in String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36) }
        return "----SiestaFormBoundary" + random.joined()
    }
}
