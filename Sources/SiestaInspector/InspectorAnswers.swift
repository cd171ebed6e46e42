import Foundation
import SiestaActivity
import SiestaCore
import SiestaRecording

/// Answers the requests of the page that the server has accepted.
struct InspectorAnswers: Sendable {
    let feed: InspectorFeed
    let permissions: Inspector.Permissions

    @concurrent
    func answer(_ route: Admission.Route, _ request: HTTPRequest) async -> HTTPReply {
        switch route {
        case .page: InspectorPage.reply()
        case .events: HTTPReply(status: 404)
        case .data("state"): .json(await feed.state(permissions))
        case .data("resource"): await details(request.head.query)
        case .data("har"): await recorded()
        case .data: HTTPReply(status: 404)
        case .action(let name): await InspectorActions(feed: feed, permissions: permissions).perform(name, request.body)
        }
    }

    // MARK: Details

    /// Content is written on the main actor, because it may be an object that only this actor may use.
    @MainActor
    private func details(_ query: String) -> HTTPReply {
        guard let number = Int(query.replacing("id=", with: "")), let address = feed.address(of: number),
            let resource = feed.service?.inspectedResource(at: address)
        else { return .failure("The service has dropped this resource.", status: 409) }
        let snapshot = resource.snapshot
        var json = JSONText()
        json.object { json in
            json.member("explanation", resource.explain().description)
            guard permissions == .full, !snapshot.isPlaceholder, let content = snapshot.data?.content else { return }
            if let text = RedactedJSON.text(ofContent: content) {
                json.name("content")
                json.raw(text.utf8)
            } else {
                json.member("contentType", PreparedText.line("\(type(of: content))", limit: 200))
            }
        }
        return .json(json.bytes)
    }

    @MainActor
    private func recorded() async -> HTTPReply {
        guard permissions == .full else { return .notPermitted }
        guard let recorder = (feed.service?.interceptor as? NetworkControl)?.recorder, recorder.hasRecorded,
            let file = try? await recorder.file
        else { return .failure("Nothing was recorded.", status: 409) }
        var reply = HTTPReply.json(Array(file))
        reply.fields.append(("Content-Disposition", "attachment; filename=\"siesta.har\""))
        return reply
    }
}

extension HTTPReply {
    /// Returns a response that tells the page why it cannot do something.
    static func failure(_ message: String, status: Int) -> HTTPReply {
        var json = JSONText()
        json.object { $0.member("error", message) }
        var reply = HTTPReply(status: status)
        (reply.fields, reply.body) = ([("Content-Type", "application/json")], json.bytes)
        return reply
    }

    /// The response to an action of a page that may only show.
    static var notPermitted: HTTPReply {
        failure("This inspector only shows. Create it with permissions: .full to permit actions.", status: 403)
    }
}
