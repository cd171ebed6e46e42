// Each line with a comment is a guess at a name that does not exist. The error must contain the comment, which names the right one.
import Foundation
import Siesta
import SiestaTesting

struct User: Codable { var name = "" }

@MainActor func isSignedIn(_ session: UserSession) -> Bool { session.isSignedIn }  // principal != nil
func canRetry(_ error: RequestError) -> Bool { error.canRetry }  // Configuration.retry
@MainActor func edit(_ user: TypedResource<User>) { user.mutate { $0.name = "Ada" } }  // mutate(.patch, body: …)
@MainActor func editUntyped(_ user: Resource) { user.mutate { $0.name = "Ada" } }  // typed(as:)
@MainActor func editPart(_ user: Resource) { user.mutate(.patch) { $0["name"] = "Ada" } }  // typed(as:)
@MainActor func change(_ user: Resource) { user.mutate(.delete) }  // typed(as:)
@MainActor func dictionary(_ user: TypedResource<User>) -> [String: Any] { user.jsonDict }  // content
@MainActor func upload(_ album: Resource, _ form: MultipartForm) { _ = album.upload(multipart: form) }  // .multipart(form)
func timeout(_ configuration: Configuration) -> TimeInterval? { configuration.timeout }  // timeLimit
@MainActor func body(_ user: User) -> RequestBody { .json(user) }  // encoded(_:encoder:)
@MainActor func refresh(_ user: TypedResource<User>) { _ = user.refresh() }  // get(.always)
@MainActor func reload(_ user: Resource) { _ = user.reload() }  // get(.always)
@MainActor func fetch(_ user: TypedResource<User>) async throws { _ = try await user.fetch() }  // get()
@MainActor func fromNetwork(_ user: Resource) async throws { _ = try await user.get(.network) }  // always
@MainActor func refreshList(_ list: PagedResource<User>) async throws { try await list.refresh() }  // reload()
@MainActor func hasMore(_ list: PagedResource<User>) -> Bool { list.hasMore }  // hasNext
func statusCode(_ error: RequestError) -> Int? { error.statusCode }  // httpStatusCode
func credential() -> Credential { Credential("token", refresh: "refresh") }  // refreshToken
func token(_ credential: Credential) -> String { credential.accessToken }  // secret
@MainActor func bearer(_ service: Service) { service.authenticate(with: .bearer(refresh: { old, _ in print(old.token); return old })) }  // token
@MainActor func answer(_ network: StubNetwork) { network.answer(.get, "/users/1") { _ in .json("{}") } }  // handler
