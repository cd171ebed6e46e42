// Each line with a comment must cause the error that the comment names, in both language modes.
import Siesta

nonisolated func load(_ resource: Resource) { resource.load() }  // load()
nonisolated func isLoading(_ resource: Resource) -> Bool { resource.isLoading }  // isLoading
nonisolated func find(_ service: Service) -> Resource { service.resource("x") }  // resource
nonisolated func cancel(_ request: any Request) { request.cancel() }  // cancel()
nonisolated func text(_ resource: Resource) -> String { resource.text }  // text
nonisolated func make() -> Service { Service(baseURL: "https://h.test") }  // init
nonisolated func start(_ provider: any NetworkingProvider) -> any NetworkingProvider { provider.siestaNetworkingProvider }  // siestaNetworkingProvider
nonisolated func stop(_ networking: any RequestNetworking) { networking.cancel() }  // cancel()
nonisolated func notify(_ observer: any ResourceObserver, _ resource: Resource) { observer.stoppedObserving(resource: resource) }  // stoppedObserving
nonisolated func complete(_ handler: any RequestCompletionHandler, _ info: ResponseInfo) { handler.broadcastResponse(info) }  // broadcastResponse
