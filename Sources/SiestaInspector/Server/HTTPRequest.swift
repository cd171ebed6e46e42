/// A complete request to the inspector.
struct HTTPRequest: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]
}
