/// One message of the log. The log has removed its secrets.
struct LogRow: Sendable {
    let id: Int
    /// The time in seconds since 1970.
    let time: Double
    let category: String
    let message: String

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", id)
            json.member("time", time)
            json.member("category", category)
            json.member("message", message)
        }
    }
}
