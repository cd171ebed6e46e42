/// The reply of the scripted origin to one request.
///
/// A text in braces stands for a value that is known when the origin replies: `{now+60}` for the date in 60 seconds,
/// `{now+60|pattern}` for this date in another form, and `{origin}` for the address of the origin. The reply has a `Date`
/// unless its fields contain one, or contain `Date:` without a value.
struct Reply: Sendable {
    var status = 200
    var fields: [String] = []
    /// The content; nil for "response" and the number of the step, from 1.
    var body: String?
    /// Status codes and fields of interim responses before the reply.
    var interim: [String] = []
    /// The fields of the 304 that is sent to a request with a condition; nil to send the same reply to all requests.
    var confirmation: [String]?
    /// True if the connection ends in the middle of the body.
    var isIncomplete = false
    /// True if the origin closes the connection without a reply.
    var isClosing = false

    static func ok(_ fields: String..., body: String? = nil) -> Reply { Reply(fields: fields, body: body) }

    static func status(_ status: Int, _ fields: String..., body: String? = nil) -> Reply {
        Reply(status: status, fields: fields, body: body)
    }

    /// A 304 with these fields to a request with a condition, and a new response otherwise.
    static func confirms(_ fields: String...) -> Reply { Reply(confirmation: fields) }

    /// A response whose body is shorter than its `Content-Length`.
    static func incomplete(_ fields: String...) -> Reply { Reply(fields: fields, isIncomplete: true) }

    static let closes = Reply(isClosing: true)

    func after(interim: String...) -> Reply {
        var reply = self
        reply.interim = interim
        return reply
    }
}
