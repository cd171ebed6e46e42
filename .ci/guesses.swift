// Each line with a comment is a guess at a name that does not exist. The error must contain the comment, which names the right one.
import Foundation
import Siesta

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
