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
@MainActor func publisher(_ user: TypedResource<User>) { _ = user.publisher }  // states
@MainActor func data(_ user: TypedResource<User>) { _ = user.data }  // content
@MainActor func content(_ user: Resource) { _ = user.content }  // typed(as:)
@MainActor func isLoaded(_ user: TypedResource<User>) -> Bool { user.isLoaded }  // content != nil
@MainActor func isError(_ user: TypedResource<User>) -> Bool { user.isError }  // error != nil
@MainActor func observe(_ user: TypedResource<User>) { user.observe { print("changed") } }  // addObserver
@MainActor func clear(_ user: TypedResource<User>) { user.clear() }  // wipe()
@MainActor func prefetch(_ user: Resource) { user.prefetch() }  // loadIfNeeded()
@MainActor func cancelLoad(_ user: TypedResource<User>) { user.cancelLoad() }  // load()
@MainActor func loadAlways(_ user: TypedResource<User>) { _ = user.load(.always) }  // get(_:)
@MainActor func stopObserving(_ user: TypedResource<User>) { user.addObserver(owner: user.resource) { _, _ in }.cancel() }  // removeObservers
@MainActor func setData(_ user: TypedResource<User>) { user.setData(User()) }  // Assign content
func staleTime(_ configuration: inout Configuration) { configuration.staleTime = 5 }  // expirationTime
func refetchInterval(_ configuration: inout Configuration) { configuration.refetchInterval = 5 }  // poll(every:owner:)
func requiresAuthentication(_ configuration: inout Configuration) { configuration.requiresAuthentication = false }  // isPersonal
func exponentialBackoff(_ configuration: inout Configuration) { configuration.retry = .exponentialBackoff }  // standard
@MainActor func isCancelled(_ request: any Request) -> Bool { request.isCancelled }  // isCompleted
@MainActor func uploadProgress(_ request: any Request) { _ = request.uploadProgress { print($0) } }  // onProgress
@MainActor func result(_ request: any Request) { _ = request.result }  // value
func responseStatus(_ response: FinishedResponse) -> Int? { response.statusCode }  // status
func infoError(_ info: ResponseInfo) -> RequestError? { info.error }  // response
func errorBody(_ error: RequestError) { _ = error.body }  // entity
func decodedError(_ error: RequestError) throws -> User { try error.decoded(as: User.self) }  // configureTransformer
func isCancelledError(_ error: RequestError) -> Bool { error.isCancelled }  // isCancellation
func offline(_ error: RequestError) -> Bool { error.code == .offline }  // network
func decoding(_ error: RequestError) -> Bool { error.code == .decoding }  // invalidContent
func post(_ network: AuthenticationNetwork) async throws { _ = try await network.request(.post, "/token", body: .json(["a": 1])) }  // send(_:)
func send(_ network: AuthenticationNetwork) async throws { _ = try await network.send(.post, "/token", body: .json(["a": 1])) }  // URLRequest
func decodedToken(_ response: AuthenticatedResponse) throws -> User { try response.decoded(as: User.self) }  // JSONDecoder
func tokenData(_ response: AuthenticatedResponse) -> Data { response.data }  // body
@MainActor func sessionCredential(_ session: UserSession) { _ = session.credential }  // store
func credentialToken(_ credential: Credential) -> String { credential.token }  // secret
@MainActor func refetchList(_ list: PagedResource<User>) async throws { try await list.refetch() }  // reload()
@MainActor func isLoadingMore(_ list: PagedResource<User>) -> Bool { list.isLoadingMore }  // isLoadingNext
@MainActor func cursor() -> PageLink<User> { .cursor(\.name, parameter: "cursor") }  // cursor(_:_:)
@MainActor func page() -> PageLink<User> { .page }  // pageNumber
@MainActor func onCompletion(_ change: Change<User>) { _ = change.onCompletion { _ in } }  // request.onCompletion
@MainActor func isPending(_ user: TypedResource<User>) -> Bool { user.isPending }  // isOptimistic
@MainActor func hold(_ network: StubNetwork) { network.hold(.put, "/users/1") }  // .held
func offlineAnswer() -> StubAnswer { .offline }  // .failure
func textAnswer() -> StubAnswer { .response(403, body: "no") }  // .text
func slowAnswer() -> StubAnswer { .text("").delayed(by: .seconds(1)) }  // held
@MainActor func formBody(_ form: MultipartForm) -> RequestBody { .form(form) }  // multipart
func expires(_ seconds: TimeInterval) -> Credential { Credential("token", refreshToken: "r", expires: seconds) }  // expiresIn
func networkFailure() -> StubAnswer { .failure(.network) }  // URLError.Code
