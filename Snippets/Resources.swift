// The code of the articles about services, resources, requests, configuration, the pipeline and errors. It is compiled,
// not run.
import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct User: Codable, Sendable {
    var id: Int
    var name: String
}

// snippet.api
final class MyAPI: Service {
    init() {
        super.init(baseURL: "https://api.example.com/v1")
        configure { $0.headers["Accept-Language"] = "en" }
        configure("/users/*") { $0.expirationTime = 300 }
        decode("/users/*", as: User.self)
    }

    func user(_ id: Int) -> TypedResource<User> { resource("/users/\(id)", as: User.self) }
}
// snippet.end

// snippet.first
let api = MyAPI()
let ada = api.user(42)

let user = try await ada.fresh()  // Sends a request only if the data is not fresh.
print(user.name)

for await state in ada.states {
    print(state.content?.name ?? "nobody", state.isLoading, state.error?.userMessage ?? "")
}
// snippet.end

// snippet.names
let users = api.resource("/users")
let one = users.child("42")  // …/users/42
let posts = one.relative("posts?page=1")  // …/users/posts?page=1, as for a link on a web page
let second = posts.withParam("page", "2")  // …/users/posts?page=2
let elsewhere = api.resource(absoluteURL: "https://other.example.com/status")
let repository = api.resource(
    template: "/repos/{owner}/{repo}{?page,per_page}",  // …/repos/apple/swift?page=2
    ["owner": "apple", "repo": "swift", "page": 2])
// snippet.end

// snippet.local
one.overrideLocalContent(with: User(id: 42, name: "Ada"))  // Replaces the content, as a load does.
one.invalidate()  // The next loadIfNeeded() sends a request, even if the data is fresh.
api.wipeResources(includingCaches: true)  // Removes all data, also from the caches. Call this when a user logs out.
// snippet.end

// snippet.hooks
one.request(.patch, body: ["name": "Ada"])
    .onSuccess { _ in one.load() }
    .onFailure { error in print(error.userMessage) }
    .onProgress { print("\(Int($0 * 100)) %") }
// snippet.end

// snippet.using
one.load(using: one.request(.put, body: User(id: 42, name: "Ada")))
// snippet.end

// snippet.await
let entity = try await one.load().value
print(entity.etag ?? "no tag", entity.content)
let created = try await users.request(.post, body: User(id: 0, name: "Ann")).decoded(as: User.self)
let report = try await api.resource("/reports").request(.post, json: ["year": 2026]).finished()
print(report.status ?? 0, report.header(forKey: "Location") ?? "no location")
// snippet.end

// snippet.chain
let change = one.request(.put, body: created).chained { info in
    guard case .failure(let error) = info.response, error.httpStatusCode == 401 else { return .useThisResponse }
    let login = api.resource("/session").request(.post, urlEncoded: ["user": "ada"])
    return .passTo(login.chained { _ in .passTo(one.request(.put, body: created)) })
}
change.cancel()
// snippet.end

// snippet.configure
var token: String? = nil {
    didSet { api.invalidateConfiguration() }
}
api.configure("**") {
    if let token { $0.headers["Authorization"] = "Bearer \(token)" }
}
api.configure("/news/**", requestMethods: [.get]) {
    $0.expirationTime = 10
    $0.retryTime = 5
}
api.configure("/**") {
    $0.decorateRequests { resource, request in
        request.onFailure { error in print(resource, error) }
    }
}
// snippet.end

// snippet.transform
api.configureTransformer("/version") { (entity: Entity<String>) in
    entity.content.split(separator: ".").compactMap { Int($0) }
}
// snippet.end

// snippet.stage
extension PipelineStageKey {
    static let unwrapping = PipelineStageKey(description: "unwrapping")
}

let unwrap = ResponseContentTransformer { (entity: Entity<[String: Any]>) in entity.content["data"] }
api.configure("/wrapped/*") {
    $0.pipeline.order = [.rawData, .decoding, .parsing, .unwrapping, .model, .cleanup]
    $0.pipeline[.unwrapping].add(unwrap)
}
// snippet.end

// snippet.messages
UserMessages.current.requestFailed = "Échec de la requête"
// snippet.end

// snippet.errors
do {
    print(try await ada.load().name)
} catch {
    print(error.userMessage)  // The type of `error` is RequestError.
    switch error.cause {
    case is RequestError.Cause.RequestCancelled: break
    case let cause as RequestError.Cause.WrongContentType: print(cause.expectedType, cause.actualType)
    case let cause as DecodingError: print(cause)
    case let cause as URLError: print(cause.code)
    default: print(error.httpStatusCode ?? 0, error.jsonDict["message"] ?? "")
    }
}
// snippet.end
