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
@MainActor func lastUpdated(_ user: TypedResource<User>) -> Date? { user.lastUpdated }  // date
@MainActor func isRefreshing(_ user: TypedResource<User>) -> Bool { user.isRefreshing }  // isLoading
@MainActor func isFresh(_ user: TypedResource<User>) -> Bool { user.isFresh }  // isStale
@MainActor func error(_ user: Resource) -> RequestError? { user.error }  // latestError
@MainActor func values(_ user: TypedResource<User>) { _ = user.values }  // states
@MainActor func hasContent(_ user: TypedResource<User>) -> Bool { user.hasContent }  // content != nil
@MainActor func setContent(_ user: TypedResource<User>) { user.setContent(User()) }  // Assign content
@MainActor func update(_ user: TypedResource<User>) { user.update { $0.name = "Ada" } }  // mutate
@MainActor func override(_ user: TypedResource<User>) { user.overrideLocalContent(with: User()) }  // Assign content
@MainActor func cancel(_ user: TypedResource<User>) { user.cancel() }  // load()
@MainActor func refetch(_ user: TypedResource<User>) { _ = user.refetch() }  // get(.always)
func timeoutInterval(_ configuration: inout Configuration) { configuration.timeoutInterval = 5 }  // timeLimit
func maxRetries(_ configuration: inout Configuration) { configuration.maxRetries = 5 }  // retryLimit
func maxAttempts(_ configuration: inout Configuration) { configuration.retry.maxAttempts = 5 }  // retryLimit
func never(_ configuration: inout Configuration) { configuration.retry = .never }  // none
func exponential(_ configuration: inout Configuration) { configuration.retry = .exponential(maxAttempts: 3) }  // .standard
func timedOut(_ error: RequestError) -> Bool { error.code == .timedOut }  // timeLimitExceeded
func message(_ error: RequestError) -> String { error.message }  // userMessage
func underlyingError(_ error: RequestError) -> (any Error)? { error.underlyingError }  // cause
func isRetryable(_ error: RequestError) -> Bool { error.isRetryable }  // Configuration.retry
@MainActor func onUploadProgress(_ request: any Request) { _ = request.onUploadProgress { print($0) } }  // onProgress
@MainActor func again(_ request: any Request) { _ = request.retry() }  // repeated()
@MainActor func hasNextPage(_ list: PagedResource<User>) -> Bool { list.hasNextPage }  // hasNext
@MainActor func isAtEnd(_ list: PagedResource<User>) -> Bool { list.isAtEnd }  // !hasNext
@MainActor func count(_ list: PagedResource<User>) -> Int { list.count }  // items.count
@MainActor func loadMore(_ list: PagedResource<User>) async throws { try await list.loadMore() }  // loadNext()
@MainActor func retryList(_ list: PagedResource<User>) async throws { try await list.retry() }  // loadNext()
@MainActor func remove(_ list: PagedResource<User>, _ user: User) { list.remove(user) }  // delete
@MainActor func append(_ list: PagedResource<User>, _ user: User) { list.append(user) }  // create
@MainActor func onListChange(_ list: PagedResource<User>) { list.onChange { print($0) } }  // addObserver
@MainActor func isExpired(_ session: UserSession) -> Bool { session.isExpired }  // state
@MainActor func onSessionChange(_ session: UserSession) { session.onChange { print($0) } }  // states
func expiresAt(_ date: Date) -> Credential { Credential("token", expiresAt: date) }  // expirationDate
@MainActor func inMemory(_ service: Service) { service.authenticate(with: .basic(credentials: .inMemory)) }  // memory
@MainActor func hasPendingChanges(_ user: TypedResource<User>) -> Bool { user.hasPendingChanges }  // isOptimistic
@MainActor func onSuccess(_ change: Change<User>) { _ = change.onSuccess { _ in } }  // value
@MainActor func rollback(_ change: Change<User>) { change.rollback() }  // cancel()
func delayed(_ answer: StubAnswer) -> StubAnswer { answer.delayed(by: 1) }  // held
@MainActor func like(_ like: Resource) { like.mutate(.put).onSuccess { _ in } }  // typed(as:)
@MainActor func likeValue(_ like: Resource) async throws { _ = try await like.mutate(.put).value }  // typed(as:)
func idempotencyKeys(_ configuration: inout Configuration) { configuration.idempotencyKeys = true }  // sendsIdempotencyKeys
