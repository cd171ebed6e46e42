/// The method of loads that have a body; see ``Service/resource(_:loadedBy:json:)``.
///
/// A name is sent exactly as given. If it is not a token (RFC 9110 §9.1), the loads fail with
/// ``RequestError/Code/invalidMethod``.
public struct LoadMethod: RawRepresentable, Hashable, Sendable {
    /// The name of the method.
    public let rawValue: String

    /// Creates a method, for example `LoadMethod(rawValue: "REPORT")`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// POST. The app declares that this POST changes nothing on the server, so that the library may send it again.
    public static let post = LoadMethod(rawValue: "POST")
    /// QUERY, a safe method with a body. Its loads have conditions (`If-None-Match`), like those of GET.
    public static let query = LoadMethod(rawValue: "QUERY")
    /// SEARCH (RFC 5323).
    public static let search = LoadMethod(rawValue: "SEARCH")
    /// REPORT (RFC 3253).
    public static let report = LoadMethod(rawValue: "REPORT")
}
