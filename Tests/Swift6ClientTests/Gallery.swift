import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The API layer of an app in Swift 6 language mode, with all strict checks enabled.

struct Picture: Codable, Hashable, Sendable {
    var id: Int
    var name: String
}

/// An API, isolated to the main actor by inheritance.
final class GalleryAPI: Service {
    private var token: String? {
        didSet { invalidateConfiguration() }
    }

    init(networking: any NetworkingProviderConvertible, cache: PictureCache? = nil, log: TransformationLog = .init()) {
        super.init(baseURL: "https://gallery.test", standardTransformers: [.json, .text], networking: networking)
        configure("**") { [unowned self] in
            if let token { $0.headers["Authorization"] = "Bearer \(token)" }
            $0.decorateRequests(with: renewingToken)
        }
        configure("/pictures/*") {
            if let cache { $0.pipeline[.model].cacheUsing(cache) }
            $0.mutateRequests { $0.setValue("6", forHTTPHeaderField: "X-Swift") }
        }
        // Runs off the main thread, so it captures only Sendable values.
        configureTransformer("/pictures/*", atStage: .parsing) { (entity: Entity<Data>) -> Picture in
            log.append(entity.contentType)
            return try JSONDecoder().decode(Picture.self, from: entity.content)
        }
    }

    func picture(_ id: Int) -> Resource { resource("/pictures").child("\(id)") }

    func signIn() -> any Request {
        resource("/session").request(.post, urlEncoded: ["user": "ada"]).onSuccess { [weak self] in
            self?.token = $0.text
        }
    }

    private func renewingToken(_ resource: Resource, _ request: any Request) -> any Request {
        guard resource.url.path != "/session" else { return request }
        return request.chained { [unowned self] in
            guard case .failure(let error) = $0.response, error.httpStatusCode == 401 else { return .useThisResponse }
            return .passTo(signIn().chained { _ in .passTo(request.repeated()) })
        }
    }
}

/// Notes of transformers, from any thread.
final class TransformationLog: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func append(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}

/// A view model: it is isolated explicitly, observes a resource, and starts tasks.
@MainActor
final class PictureModel: ResourceObserver {
    private(set) var picture: Picture?
    private(set) var message: String?
    private(set) var history: [ResourceEvent] = []
    private let resource: Resource
    private let loader: PictureLoader

    init(_ resource: Resource, loader: PictureLoader = PictureLoader()) {
        self.resource = resource
        self.loader = loader
        resource.addObserver(self)
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        history.append(event)
        picture = resource.typedContent()
        message = resource.latestError?.userMessage
    }

    /// Sends the entity to an actor and waits for its result.
    func rate() async -> Int? {
        guard let entity: Entity<Picture> = resource.latestData?.withContentRetyped() else { return nil }
        return await loader.rating(of: entity)
    }

    deinit {
        // The observation ends by itself, because the resource references this object weakly.
    }
}

/// A model whose isolation is inferred from the protocol.
final class Counter: ResourceObserver {
    var count = 0
    var stopped = 0
    func resourceChanged(_ resource: Resource, event: ResourceEvent) { count += 1 }
    func stoppedObserving(resource: Resource) { stopped += 1 }
}

/// A value that observes.
struct Relay: ResourceObserver {
    let continuation: AsyncStream<ResourceEvent>.Continuation

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { continuation.yield(event) }
    func stoppedObserving(resource: Resource) { continuation.finish() }
}

/// Works on entities away from the main actor.
actor PictureLoader {
    private var seen: [Entity<Picture>] = []

    func rating(of entity: Entity<Picture>) -> Int {
        seen.append(entity)
        return entity.content.name.count
    }
}

/// A persistent cache, used on its own queue.
final class PictureCache: EntityCache {
    private let entries = Entries()
    let workQueue = DispatchQueue(label: "pictures")

    func key(for resource: Resource) -> URL? { resource.url }
    func readEntity(forKey key: URL) -> Entity<Any>? {
        entries[key].map { Entity(content: $0.content, headers: $0.headers, timestamp: $0.timestamp) }
    }
    func writeEntity(_ entity: Entity<Any>, forKey key: URL) { entries[key] = entity.withContentRetyped() }
    func removeEntity(forKey key: URL) { entries[key] = nil }

    private final class Entries: @unchecked Sendable {
        private let lock = NSLock()
        private var values: [URL: Entity<Picture>] = [:]

        subscript(key: URL) -> Entity<Picture>? {
            get { lock.withLock { values[key] } }
            set { lock.withLock { values[key] = newValue } }
        }
    }
}

/// A transformer: a value that any thread may use.
struct Exclaiming: ResponseTransformer {
    func process(_ response: Response) -> Response {
        guard case .success(let entity) = response, let text = entity.content as? String else { return response }
        return logTransformation(.success(Entity(content: text + "!", headers: entity.headers)))
    }
}

extension TypedContentAccessors {
    var picture: Picture? { typedContent() }
}

extension PipelineStageKey {
    static let watermark = PipelineStageKey(description: "watermark")
}

/// A provider without isolation, whose handles complete on any thread.
final class EchoNetwork: NetworkingProvider, Sendable {
    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let echo = Echo(request: request, completion: completion)
        DispatchQueue.global().async { echo.complete() }
        return echo
    }

    private struct Echo: RequestNetworking, Sendable {
        let request: URLRequest
        let completion: RequestNetworkingCompletionCallback

        func complete() {
            let response = request.url.flatMap {
                HTTPURLResponse(
                    url: $0, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "text/plain"])
            }
            completion(response, Data((request.httpMethod ?? "").utf8), nil)
        }

        func cancel() {}
        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
        }
    }
}

/// A provider with state, isolated to the main actor.
@MainActor
final class ScriptedNetwork: NetworkingProvider {
    var script: [(Int, String)] = []
    private(set) var requests: [URLRequest] = []

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        requests.append(request)
        let (status, body) = script.isEmpty ? (404, "") : script.removeFirst()
        let handle = Handle()
        handle.task = Task {
            let response = request.url.flatMap {
                HTTPURLResponse(
                    url: $0, statusCode: status, httpVersion: nil, headerFields: ["Content-Type": "text/plain"])
            }
            completion(response, Data(body.utf8), Task.isCancelled ? URLError(.cancelled) : nil)
        }
        return handle
    }

    private final class Handle: RequestNetworking {
        var task: Task<Void, Never>?
        func cancel() { task?.cancel() }
        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: 0, responseBytesReceived: 0, responseBytesTotal: nil)
        }
    }
}

/// Computes in a task, off the main actor.
final class Computation: RequestDelegate {
    private let work: @Sendable () async -> Int
    private var task: Task<Void, Never>?

    init(_ work: @escaping @Sendable () async -> Int) {
        self.work = work
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        task = Task {
            let result = await work()
            completionHandler.broadcastResponse(
                ResponseInfo(response: .success(Entity(content: result, contentType: "x/number"))))
        }
    }

    func cancelUnderlyingOperation() { task?.cancel() }
    func repeated() -> any RequestDelegate { Computation(work) }
}

/// A custom request that wraps another.
final class Quiet: Request {
    private let wrapped: any Request

    init(_ wrapped: any Request) {
        self.wrapped = wrapped
    }

    func onCompletion(_ callback: @escaping (ResponseInfo) -> Void) -> any Request { wrapped.onCompletion(callback) }
    func onSuccess(_ callback: @escaping (Entity<Any>) -> Void) -> any Request { wrapped.onSuccess(callback) }
    func onNewData(_ callback: @escaping (Entity<Any>) -> Void) -> any Request { wrapped.onNewData(callback) }
    func onNotModified(_ callback: @escaping () -> Void) -> any Request { wrapped.onNotModified(callback) }
    func onFailure(_ callback: @escaping (RequestError) -> Void) -> any Request { self }
    func onProgress(_ callback: @escaping (Double) -> Void) -> any Request { self }
    func start() -> any Request {
        wrapped.start()
        return self
    }
    var state: RequestState { wrapped.state }
    var progress: Double { wrapped.progress }
    func cancel() { wrapped.cancel() }
    func repeated() -> any Request { Quiet(wrapped.repeated()) }
}
