import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Every public signature of Siesta 1.5, used once with all its labels and once with its defaults. The code must compile
// without a warning. The tests call it to check that it also runs.

func doubled(_ entity: Entity<Int>) throws -> Int? { return entity.content * 2 }

enum Signatures {
    static func service(_ network: NetworkingProvider) -> [String] {
        let url: URL? = URL(string: "https://h.test/b")
        let services: [Service] = [
            Service(),
            Service(baseURL: "https://h.test"),
            Service(baseURL: url),
            Service(baseURL: nil),
            Service(baseURL: URL(string: "https://h.test")!, standardTransformers: []),
            Service(standardTransformers: [.json, .text, .image]),
            Service(networking: URLSessionConfiguration.default),
            Service(baseURL: "https://h.test", networking: URLSession.shared),
            Service(baseURL: url, standardTransformers: [.text], networking: network),
        ]
        let service = services[8]
        let base: URL? = service.baseURL
        let resources: [Resource] = [
            service.resource("/x"), service.resource(baseURL: "https://o.test", path: "y"),
            service.resource(baseURL: url, path: "y"), service.resource(baseURL: nil, path: "y"),
            service.resource(absoluteURL: "https://o.test/z"), service.resource(absoluteURL: url),
            service.resource(absoluteURL: nil),
        ]
        let limit: Int = service.cachedResourceCountLimit
        service.cachedResourceCountLimit = limit
        service.flushUnusedResources()
        service.invalidateConfiguration()
        service.wipeResources()
        service.wipeResources(matching: { $0.isLoading })
        service.wipeResources(matching: "/x/*")
        service.wipeResources(matching: resources[0])
        service.wipeResources(withURLsMatching: { $0.scheme == "https" })
        let set: Set<Service> = Set(services)
        return [base?.absoluteString ?? "", "\(set.count)", "\(Set(resources).count)", "\(service == services[0])"]
    }

    static func configuration(_ service: Service) throws {
        let regex = try NSRegularExpression(pattern: "x$")
        let configurer: (inout Configuration) -> Void = { $0.expirationTime = 1 }
        service.configure("/x", configurer: configurer)
        service.configure("/x") { $0.expirationTime = 60 }
        service.configure("/x", requestMethods: [.get, .post]) { $0.retryTime = 2 }
        service.configure("/x", requestMethods: nil, description: "d") { $0.headers = ["A": "b"] }
        service.configure(regex, requestMethods: [.get], description: "d", configurer: configurer)
        service.configure(service.resource("/x"), description: "d") { _ in }
        service.configure { $0.headers["B"] = "c" }
        service.configure(requestMethods: [.get]) { $0.headers["B"] = "c" }
        service.configure(whenURLMatches: { $0.path == "/x" }) { $0.progressReportingInterval = 0.1 }
        service.configure(
            whenURLMatches: { _ in false }, requestMethods: [.delete], description: "d", configurer: configurer)
        service.configureTransformer("/x") { (entity: Entity<String>) in entity.content.count }
        service.configureTransformer("/x") { ($0.content as String).count }
        service.configureTransformer(
            regex, requestMethods: [.get], atStage: .cleanup, action: .appendToExisting, onInputTypeMismatch: .skip,
            transformErrors: true, description: "d"
        ) { (entity: Entity<Int>) -> Int? in entity.content == 0 ? nil : entity.content }
        service.configureTransformer(
            service.resource("/x"), onInputTypeMismatch: .skipIfOutputTypeMatches, contentTransform: doubled)
        service.configureTransformer("/y", action: .replaceExisting, contentTransform: storedProcessor)
        service.configure("/pipeline") {
            $0.mutateRequests { $0.timeoutInterval = 3 }
            $0.mutateRequests(with: stamp)
            $0.decorateRequests { _, request in request.onProgress { _ in } }
            $0.decorateRequests(with: storedDecorator)
            $0.pipeline.order = [.rawData, .decryption, .decoding, .parsing, .model, .cleanup]
            $0.pipeline[.decryption].add(CountingTransformer())
            $0.pipeline[.parsing].add(TextResponseTransformer(), contentTypes: ["text/*"])
            $0.pipeline[.parsing].add(JSONResponseTransformer(false), contentTypes: ["*/json", "*/*+json"])
            $0.pipeline[.parsing].add(ImageResponseTransformer(true), contentTypes: ["image/*"])
            $0.pipeline[.parsing].removeTransformers()
            $0.pipeline[.model].cacheUsing(MemoryCache())
            $0.pipeline[.model].doNotCache()
            $0.pipeline.removeAllTransformers()
            $0.pipeline.removeAllCaches()
            $0.pipeline.clear()
            $0.pipeline.add(.json)
            $0.pipeline.add(StandardTransformer.text)
        }
        let pipeline: Pipeline = service.resource("/pipeline").configuration.pipeline
        var stage: PipelineStage = pipeline[.decoding]
        stage.add(ResponseContentTransformer(processor: storedProcessor))
        stage.add(
            ResponseContentTransformer(onInputTypeMismatch: .error, transformErrors: true) { (entity: Entity<Data>) in
                String(data: entity.content, encoding: .utf8)
            })
        let key: PipelineStageKey = .rawData
        _ = [key: 1, .model: 2, PipelineStageKey(description: "own"): 3]
    }

    static func capturing(_ service: Service) -> () -> [String] {
        var heard: [String] = []
        var count = 0
        let counter = CountingTransformer()
        service.configureTransformer("/x") { (entity: Entity<Any>) -> Any? in
            count += 1
            counter.count += 1
            heard.append(entity.contentType)
            return entity.content
        }
        service.configure("/x") { _ in count += 1 }
        service.configure(whenURLMatches: { url in
            count += 1; return url.isFileURL
        }) { _ in }
        let transformer = ResponseContentTransformer { (entity: Entity<Any>) -> Any? in
            count += 1
            return entity.content
        }
        _ = transformer.process(.success(Entity<Any>(content: 1, contentType: "x/y")))
        let previous = SiestaLog.messageHandler
        SiestaLog.messageHandler = { _, message in heard.append(message) }
        SiestaLog.messageHandler = previous
        return { heard + ["\(count)"] }
    }

    static func stamp(_ request: inout URLRequest) { request.setValue("s", forHTTPHeaderField: "S") }
    static let storedProcessor: ResponseContentTransformer<Data, Int>.Processor = { $0.content.count }
    static var storedDecorator: (Resource, Request) -> Request = { _, request in request }
    static var storedMutation: Resource.RequestMutation = { $0.httpBody = nil }

    static func requests(_ resource: Resource) -> [Request] {
        let mutation: Resource.RequestMutation = { $0.setValue("m", forHTTPHeaderField: "M") }
        let params: [String: String] = ["a": "b"]
        let array: NSArray = [1, 2]
        let dictionary: NSDictionary = ["k": "v"]
        return [
            resource.request(.get),
            resource.request(.head) { $0.timeoutInterval = 1 },
            resource.request(.options, requestMutation: mutation),
            resource.request(.post, data: Data(), contentType: "x/y"),
            resource.request(.post, data: Data([1]), contentType: "x/y", requestMutation: mutation),
            resource.request(.put, text: "t"),
            resource.request(.put, text: "t", contentType: "text/x", encoding: .utf16, requestMutation: storedMutation),
            resource.request(.patch, json: ["a": 1]),
            resource.request(.patch, json: ["a", 2, ["b": true]] as [Any]),
            resource.request(.patch, json: array),
            resource.request(.patch, json: dictionary, contentType: "x/json") { $0.httpShouldHandleCookies = false },
            resource.request(.delete, urlEncoded: params),
            resource.request(.delete, urlEncoded: params, requestMutation: mutation),
        ]
    }

    static func resource(_ resource: Resource, _ callback: @escaping () -> Void) {
        let service: Service = resource.service
        let url: URL = resource.url
        let configurations: [Configuration] = [resource.configuration, resource.configuration(for: .put)]
        let latest: (Entity<Any>?, RequestError?, TimeInterval) =
            (resource.latestData, resource.latestError, resource.timestamp)
        let flags: [Bool] = [resource.isLoading, resource.isRequesting, resource.isUpToDate]
        let running: [Request] = resource.loadRequests + resource.allRequests
        _ = (service, url, configurations, latest, flags, running)

        resource.loadIfNeeded()
        resource.load()
        resource.load(using: resource.request(.post, json: [:] as [String: Any]))
        let load: Request? = resource.loadIfNeeded()
        load?.cancel()
        resource.cancelLoadIfUnobserved()
        resource.cancelLoadIfUnobserved(afterDelay: 0.01)
        resource.cancelLoadIfUnobserved(afterDelay: 0.01, then: callback)
        resource.overrideLocalData(with: Entity<Any>(content: "x", contentType: "text/plain"))
        resource.overrideLocalContent(with: ["x": 1])
        resource.invalidate()
        resource.wipe()
        let others: [Resource?] = [
            resource.child("c"), resource.relative("../r"), resource.optionalRelative(nil),
            resource.withParam("a", "b"),
            resource.withParams(["a": "b", "c": nil]),
        ]
        _ = Dictionary(grouping: others.compactMap { $0 }, by: { $0.url.host })
        let made: [Request] = [
            Resource.failedRequest(returning: RequestError(userMessage: "m", cause: DiskFull())),
            Resource.hardWiredRequest(returning: .success(Entity<Any>(content: 1, contentType: "x/y"))),
            Resource.prepareRequest(using: EchoDelegate(content: 2)),
        ]
        made.forEach { $0.start() }
    }

    static func observers(_ resource: Resource, owner: AnyObject, object: ResourceObserver & AnyObject) {
        let closure: ResourceObserverClosure = { _, _ in }
        resource
            .addObserver(object)
            .addObserver(object, owner: owner)
            .addObserver(EventPrinter(prefix: "p", print: { _ in }), owner: owner)
            .addObserver(owner: owner) { resource, event in _ = (resource.url, event) }
            .addObserver(owner: owner, closure: closure)
            .addObserver(owner: owner, file: "f", line: 1, closure: closure)
        resource.removeObservers(ownedBy: owner)
        resource.removeObservers(ownedBy: nil)
        let any: ResourceObserver = object
        let identity: AnyHashable = any.observerIdentity
        any.resourceChanged(resource, event: .observerAdded)
        any.resourceRequestProgress(for: resource, progress: 0)
        any.stoppedObserving(resource: resource)
        resource.removeObservers(ownedBy: object)
        _ = identity
    }

    static func hooks(_ request: Request, _ call: @escaping (String) -> Void) -> Request {
        let start: Request = request.start()
        let isDone: Bool = request.state == .completed || request.progress >= 1
        let again: Request = request.repeated()
        again.cancel()
        call("\(start === request) \(isDone)")
        return
            request
            .onCompletion { call($0.isNew ? "new" : "old") }
            .onSuccess { call($0.contentType) }
            .onNewData { call("\($0.timestamp)") }
            .onNotModified { call("not modified") }
            .onFailure { call($0.userMessage) }
            .onProgress { call("\($0)") }
            .chained { (info: ResponseInfo) -> RequestChainAction in
                switch info.response {
                case .success: return .useThisResponse
                case .failure(let error) where error.cause is URLError:
                    return .useResponse(ResponseInfo(response: .failure(error), isNew: false))
                case .failure: return info.response.isCancellation ? .useThisResponse : .passTo(request.repeated())
                }
            }
    }

    static func entities() -> [String] {
        let response = HTTPURLResponse(
            url: URL(string: "https://h.test")!, statusCode: 200, httpVersion: nil, headerFields: ["ETag": "\"1\""])
        var entity = Entity<Any>(response: response, content: ["a": 1])
        entity.touch()
        entity.content = "text"
        entity.charset = nil
        entity.headers["X"] = "y"
        entity.timestamp += 1
        let retyped: Entity<String>? = entity.withContentRetyped()
        let numbers = Entity(content: [1, 2], contentType: "x/numbers", charset: "utf-8", headers: ["a": "b"])
        let bare = Entity(content: 1, headers: [:])
        let old = Entity<Any>(content: 1, charset: "ascii", headers: [:], timestamp: 12)
        let typed: [Int] = numbers.typedContent(ifNone: [])
        let optional: [Int]? = numbers.typedContent()
        let fallback: String? = old.typedContent(ifNone: nil)
        return [
            entity.contentType, entity.etag ?? "", entity.header(forKey: "x") ?? "", retyped?.text ?? "",
            "\(entity.jsonDict.count)\(entity.jsonArray.count)", "\(typed)\(optional ?? [])\(fallback ?? "-")",
            "\(bare.content)\(old.timestamp)", "\(numbers.entityForTypedContentAccessors?.content.count ?? 0)",
        ]
    }

    static func errors() -> [Error] {
        var error = RequestError(response: nil, content: "body", cause: nil)
        error = RequestError(response: nil, content: nil, cause: DiskFull(), userMessage: "m")
        error.userMessage = error.userMessage.uppercased()
        error.httpStatusCode = 418
        error.entity = Entity<Any>(content: 1, contentType: "x/y")
        error.cause = DiskFull()
        let with = RequestError(userMessage: "m", cause: DiskFull(), entity: error.entity)
        _ = (with.timestamp, with.text, with.jsonDict, error.httpStatusCode == 418)
        let transformer = TextResponseTransformer()
        return [
            error, with, RequestError.Cause.InvalidURL(urlSource: "x"), RequestError.Cause.InvalidURL(urlSource: nil),
            RequestError.Cause.UnencodableText(encoding: .ascii, text: "ü"), RequestError.Cause.InvalidJSONObject(),
            RequestError.Cause.NotURLEncodable(offendingString: "x"),
            RequestError.Cause.RequestCancelled(networkError: nil), RequestError.Cause.NoLocalDataFor304(),
            RequestError.Cause.InvalidTextEncoding(encodingName: "x"),
            RequestError.Cause.UndecodableText(encoding: .utf8),
            RequestError.Cause.JSONResponseIsNotDictionaryOrArray(actualType: String.self),
            RequestError.Cause.UnparsableImage(),
            RequestError.Cause.WrongInputTypeInTranformerPipeline(
                expectedType: Int.self, actualType: String.self, transformer: transformer),
            RequestError.Cause.TransformerReturnedNil(transformer: transformer),
        ]
    }

    static func logging(_ handler: @escaping (SiestaLog.Category, String) -> Void) {
        let before = (SiestaLog.Category.enabled, SiestaLog.messageHandler)
        defer { (SiestaLog.Category.enabled, SiestaLog.messageHandler) = before }
        SiestaLog.Category.enabled = .common
        SiestaLog.Category.enabled = .detailed
        SiestaLog.Category.enabled = SiestaLog.Category.all
        SiestaLog.Category.enabled = [.network, .pipeline]
        SiestaLog.messageHandler = handler
        SiestaLog.log(.network, ["one", 2, nil, URL(string: "https://h.test")])
        SiestaLog.messageHandler = { category, message in handler(category, "again " + message) }
        SiestaLog.log(.pipeline, ["x"])
        SiestaLog.log(.staleness, [fatalErrorIfEvaluated()])
    }

    private static func fatalErrorIfEvaluated() -> Any? { fatalError("evaluated") }

    static func values(_ session: URLSession) -> Int {
        let provider: NetworkingProvider = URLSessionProvider(session: session)
        let convertible: [NetworkingProviderConvertible] = [provider, session, URLSessionConfiguration.ephemeral]
        let metrics = RequestTransferMetrics(
            requestBytesSent: 1, requestBytesTotal: nil, responseBytesReceived: 2, responseBytesTotal: 3)
        let methods: [RequestMethod] = RequestMethod.allCases + [RequestMethod(rawValue: "get")!]
        let sources: [ResourceEvent.NewDataSource] = [.network, .cache, .localOverride, .wipe]
        return convertible.count + Int(metrics.responseBytesReceived) + methods.count + sources.count
    }
}

/// URLs from an enumeration of endpoints.
enum Endpoint: String, URLConvertible, ConfigurationPatternConvertible {
    case books = "https://bookshop.test/api/books"

    var url: URL? { return URL(string: rawValue) }

    func configurationPattern(for service: Service) -> (URL) -> Bool {
        let prefix = rawValue
        return { $0.absoluteString.hasPrefix(prefix) }
    }

    var configurationPatternDescription: String { return "endpoint \(rawValue)" }
}

/// Does the same with a class that has state.
class MutableEndpoint: URLConvertible, ConfigurationPatternConvertible {
    var path = "/books"
    var url: URL? { return URL(string: "https://bookshop.test/api" + path) }
    func configurationPattern(for service: Service) -> (URL) -> Bool { return { $0 == self.url } }
    var configurationPatternDescription: String { return path }
}

/// Functions as values.
struct Functions {
    let wipe: () -> Void
    let load: () -> Request
    let loadIfNeeded: () -> Request?
    let child: (String) -> Resource
    let observe: (ResourceObserver & AnyObject) -> Resource
    let titles: ([Resource]) -> [String]
    var decorate: (Resource, Request) -> Request = { $1 }
    var start: (Request) -> Request = { $0.start() }
    var cancel: ((Request) -> () -> Void)?

    init(_ resource: Resource) {
        wipe = resource.wipe
        load = resource.load
        loadIfNeeded = resource.loadIfNeeded
        child = resource.child
        observe = { resource.addObserver($0) }
        titles = { $0.map { $0.url.lastPathComponent } }
    }

    func urls(_ resources: [Resource]) -> [URL] { return resources.map(\.url) }
    func loading(_ resources: [Resource]) -> [Resource] { return resources.filter(\.isLoading) }
    func children(_ names: [String], of resource: Resource) -> [Resource] { return names.map(resource.child) }
    func refresh(_ resources: [Resource]) -> [Request] { return resources.compactMap { $0.loadIfNeeded() } }
    func reset(_ resources: [Resource]) { resources.forEach { $0.wipe() } }
    let path: KeyPath<Resource, Bool> = \.isLoading
}
