/// Decides whether a request may reach the inspector, and to which of its functions it leads. Pure.
///
/// Any web page can make a browser send requests to loopback. Therefore a request must know the token, name the server by
/// a loopback address (otherwise a name that an attacker has rebound would do), and come from no other origin. A refusal
/// has a status and nothing else.
struct Admission: Sendable {
    let token: String
    let port: UInt16

    /// The function to which a request leads.
    enum Route: Equatable, Sendable {
        case page
        /// Data below the page, such as `state`.
        case data(String)
        case events
        /// An action, such as `load`.
        case action(String)
    }

    enum Decision: Equatable, Sendable {
        case accept(Route)
        case refuse(status: Int)
    }

    /// Returns the function to which a request leads, or the status with which it is refused.
    func decide(_ head: HTTPRequestHead) -> Decision {
        guard let host = head["host"]?.lowercased(), hosts.contains(host) else { return .refuse(status: 403) }
        if let origin = head["origin"], origin.lowercased() != "http://\(host)" { return .refuse(status: 403) }
        let segments = head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let first = segments.first, Self.isEqual(Array(first.utf8), Array(token.utf8)) else {
            return .refuse(status: 404)
        }
        guard let route = route(Array(segments.dropFirst())) else { return .refuse(status: 404) }
        // A browser says from where a page makes a request. The page itself may be opened by a click on a link.
        if route != .page, let site = head["sec-fetch-site"], site != "same-origin" { return .refuse(status: 403) }
        guard case .action = route else {
            return head.method == "GET" ? .accept(route) : .refuse(status: 405)
        }
        guard head.method == "POST" else { return .refuse(status: 405) }
        // A page of another origin cannot add this field without asking first, and the server never permits it.
        guard let proof = head["x-siesta-inspector"], Self.isEqual(Array(proof.utf8), Array(token.utf8)) else {
            return .refuse(status: 403)
        }
        return .accept(route)
    }

    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] }

    private func route(_ segments: [Substring]) -> Route? {
        switch (segments.count, segments.first ?? "") {
        case (1, ""): .page
        case (1, "events"): .events
        case (1, "state"), (1, "resource"), (1, "har"): .data(String(segments[0]))
        case (2, "actions"): .action(String(segments[1]))
        default: nil
        }
    }

    /// Compares two texts in a time that depends on their lengths only, so that the time of a refusal tells nothing
    /// about the token.
    static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns a token of 128 random bits from the system's generator, as 32 hexadecimal digits.
    static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
