/// The changes that users have made, in their order, as the feed lists them and as streams send them.
struct Feed: Sendable {
    /// What a user has done.
    enum Action: String, Sendable {
        case starred, unstarred, followed, unfollowed, described
    }

    /// One change. The first one has the number 1.
    private struct Event: Sendable {
        let id: Int
        let action: Action
        let json: JSON
    }

    private var events: [Event] = []

    /// The number of the last event; 0 if there is none.
    var lastID: Int { events.count }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - subject: The full name of a repository, or the login of an account.
    ///   - stars: The number of stars of the repository; nil for an account.
    mutating func note(_ action: Action, by actor: String, of subject: String, stars: Int? = nil) {
        let id = lastID + 1
        events.append(
            Event(
                id: id, action: action,
                json: [
                    "id": .integer(id), "actor": .string(actor), "action": .string(action.rawValue),
                    "subject": .string(subject), "stars": stars.map(JSON.integer) ?? .null,
                ]))
    }

    /// All events, the latest first.
    var json: JSON { .array(events.reversed().map(\.json)) }

    /// The events after one, in the form of `text/event-stream`.
    func stream(after id: Int) -> [UInt8] {
        events.dropFirst(id).flatMap { event in
            Array("id: \(event.id)\nevent: \(event.action.rawValue)\ndata: ".utf8) + event.json.utf8
                + Array("\n\n".utf8)
        }
    }

    /// The response to a request for a stream. It begins after the event that the client has received last. If there is no such
    /// event, it begins at the present, and says where that is.
    func response(to request: HTTPRequest) -> HTTPResponse {
        let known = request.headers["Last-Event-ID"].flatMap { Int($0) }.flatMap { 0...lastID ~= $0 ? $0 : nil }
        var response = HTTPResponse(
            200, contentType: "text/event-stream",
            body: Array((known == nil ? "id: \(lastID)\n\n" : ": Events follow.\n\n").utf8))
        response.headers["Last-Event-ID"] = known.map(String.init)
        response.headers["Cache-Control"] = "no-store"
        response.streamsAfter = known ?? lastID
        return response
    }
}
