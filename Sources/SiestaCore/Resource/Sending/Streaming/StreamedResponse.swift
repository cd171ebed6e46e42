package import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response that is read in pieces while it arrives. It sends the request when its first part is asked for, and ends the
/// request when this object is released.
package final class StreamedResponse: Sendable {
    /// The request of a response. It does not keep the response.
    package struct Request: Sendable {
        fileprivate let exchange: StreamExchange
    }

    private let exchange: StreamExchange
    private let stream: ByteStream
    private let hasStarted = Atomic(false)

    /// - Parameters:
    ///   - isWork: false if the response never ends by itself, so that it is no unfinished work of the service.
    ///   - last: the request that this one continues. What ends a running request between the two ends this one.
    ///   - recipe: makes the request when it is sent.
    package init(
        of resource: Resource, isWork: Bool = true, continuing last: Request? = nil,
        _ recipe: @escaping @MainActor @Sendable () -> NetworkRequest.Recipe
    ) {
        let exchange = StreamExchange(resource, isWork: isWork, continuing: last?.exchange, recipe)
        self.exchange = exchange
        // The exchange references the stream. While it runs, the transport and the service keep it alive.
        stream = ByteStream { [weak exchange] in
            if let exchange { MainQueue.async { exchange.cancel() } }
        }
    }

    deinit {
        stream.abandon()
    }

    /// The request.
    package var request: Request { Request(exchange: exchange) }

    /// The head of the response; nil before it has arrived.
    package var head: NetworkResponse.Head? { stream.head }

    /// The number of parts of the response that have arrived: the head of a success, and pieces. The consumer may not have
    /// received the last one yet.
    package var arrivalCount: Int { stream.arrivalCount }

    /// Waits for the head of the response. Returns nil if the server sent no success, or if there is no response. Then
    /// ``next()`` throws the error.
    package func headArrives() async -> NetworkResponse.Head? {
        await start()
        await stream.headArrives()
        return stream.hasBegun ? stream.head : nil
    }

    /// Waits for the next piece. Returns nil at the end of the response, and after an error was thrown.
    package func next() async throws(RequestError) -> Data? {
        await start()
        return try await stream.next()
    }

    /// Sends the request, unless it was sent. Later pieces do not wait for the main actor.
    private func start() async {
        guard !hasStarted.load(ordering: .acquiring) else { return }
        await exchange.start(into: stream)
        hasStarted.store(true, ordering: .releasing)
    }

    /// Ends the response. A waiting ``next()`` throws a cancellation at once, whatever the transport does.
    package func stop() { stream.abandon() }
}

/// The request of one iteration, whose response goes to a stream. An ``Exchange`` sends it.
@MainActor
private final class StreamExchange: ExchangeClient {
    let resource: Resource
    let isWork: Bool
    private let recipe: @MainActor @Sendable () -> NetworkRequest.Recipe
    /// The request that this one continues; nil after this one was sent.
    private var last: StreamExchange?
    /// The wipe count when this object was made. It counts for the request that continues this one, if this one is not sent.
    private let made = WipeCount.now
    private var exchange: Exchange?
    private var stream: ByteStream?
    private var prepared: PreparedRequest?
    private var rules: ArrivalRules?
    /// The redirects of the last attempt; nil without redirects.
    private var redirects: NetworkResponse.FollowedRedirects?
    private var isCancelled = false

    nonisolated init(
        _ resource: Resource, isWork: Bool, continuing last: StreamExchange?,
        _ recipe: @escaping @MainActor @Sendable () -> NetworkRequest.Recipe
    ) {
        (self.resource, self.isWork, self.last, self.recipe) = (resource, isWork, last, recipe)
    }

    private var context: ResourceContext { resource.context }

    /// True if no request may continue this one.
    private var isRevoked: Bool {
        exchange?.isRevoked ?? (last?.isRevoked ?? false || resource.isOutdated(made))
    }

    /// Sends the request. Only the first call has an effect.
    func start(into stream: ByteStream) {
        guard self.stream == nil else { return }
        self.stream = stream
        context.clock.whileCalling { send(into: stream) }
    }

    private func send(into stream: ByteStream) {
        // A request that is not sent keeps the last one, for the request that continues it.
        guard !Task.isCancelled, !isCancelled, !(last?.isRevoked ?? false) else {
            return stream.end(.failure(.cancelled()))
        }
        guard !resource.isInvalid else { return stream.end(.failure(invalidURL)) }
        let exchange = Exchange(of: resource)
        exchange.begin(for: self)
        let request = PreparedRequest(recipe())
        (self.exchange, prepared) = (exchange, request)
        extendLifetime(last.take())
        exchange.noteStart(request)
        // Code of the app that has prepared it may have cancelled it.
        guard !Task.isCancelled else { return end(.cancellation) }
        if let defect = request.defect { return end(ResponseInfo(response: .failure(defect))) }
        SiestaLog.log(.network, [request.method, request.url, "as a stream"])
        context.feature(RunningStreams.self).add(
            self, .init(stream: stream, resource: resource, exchange: exchange, isWork: isWork))
        exchange.send(request)
    }

    /// False after the consumer has received a part of the response, and if the body of the request can be sent only once.
    var isRepeatable: Bool { !(stream?.hasPassedPart ?? true) && !(prepared?.hasBodyStream ?? true) }

    func nextCall(_ obstacle: inout (any Error)?) -> TransportCall {
        stream?.restart()
        var call = TransportCall(prepared?.urlRequest ?? URLRequest(url: resource.url))
        call.receiver = stream
        return call
    }

    func receiver(of attempt: Attempt) -> @Sendable (NetworkResponse) -> Void {
        (rules, redirects) = (attempt.rules, nil)
        if let stream, let exchange {
            let onBegin = exchange.streamBeginning(of: attempt, isEndless: !isWork)
            stream.expectResponse(to: attempt.call.request, onBegin: onBegin)
        }
        return { [request = attempt.call.request] response in
            let redirects = response.redirects(of: request)
            MainQueue.async { self.receive(response.error, redirects) }
        }
    }

    /// Receives the end of an attempt.
    private func receive(_ error: (any Error)?, _ redirects: NetworkResponse.FollowedRedirects?) {
        guard let exchange, !exchange.isEnded, let stream, let prepared, let rules else { return }
        self.redirects = redirects
        let refusal = stream.refusal(error)
        let response = refusal ?? NetworkResponse(head: stream.head)
        let arrival = rules.arrival(of: response, after: redirects)
        guard let refusal else {
            let entity = Entity<Any>(headerFields: stream.head?.fields ?? HeaderFields([:]), content: Data())
            return judge(ResponseInfo(response: .success(entity)), arrival)
        }
        Task { judge(ResponseInfo(response: await refusal.refusal(to: prepared)), arrival) }
    }

    private func judge(_ info: ResponseInfo, _ arrival: Arrival) {
        var info = info
        context.clock.whileCalling {
            guard let exchange, exchange.accepts(&info, arrival) else { return }
            if let prepared {
                resource.noteWrite(
                    prepared, info, by: nil, isRefusalUncertain: exchange.mayHaveHadEffect, after: redirects)
            }
            end(info)
        }
    }

    func exchangeEnded(with info: ResponseInfo) {
        if let exchange, exchange.mayHaveHadEffect, let prepared { resource.noteWrite(prepared, nil, by: nil) }
        end(info)
    }

    /// Ends the request and the stream.
    private func end(_ info: ResponseInfo) {
        guard let exchange, !exchange.isEnded else { return }
        context.known(RunningStreams.self)?.remove(self)
        var info = info
        let service = exchange.complete(&info)
        exchange.noteEnd(info)
        switch info.response {
        case .success: stream?.end(.success(()))
        case .failure(let error): stream?.end(.failure(error))
        }
        extendLifetime(service)
    }

    func cancel() {
        isCancelled = true
        guard let exchange, !exchange.isEnded else { return }
        let hadEffect = exchange.mayHaveHadEffect
        exchange.cancel()
        context.clock.whileCalling {
            exchange.noteEnd(.cancellation)
            context.known(RunningStreams.self)?.remove(self)
            if hadEffect, let prepared { resource.noteWrite(prepared, nil, by: nil) }
        }
        stream?.end(.failure(.cancelled()))
    }

    private var invalidURL: RequestError {
        RequestError(
            userMessage: UserMessages.current.invalidURL,
            cause: resource.peculiarityCause)
    }
}

/// The byte streams of a service whose responses have not ended.
private final class RunningStreams: ServiceExtension {
    struct Running {
        let stream: ByteStream
        let resource: Resource
        let exchange: Exchange
        let isWork: Bool
    }

    private var table = ObjectTable<Running>()

    init(context: ResourceContext) {}

    func add(_ client: StreamExchange, _ running: Running) {
        _ = table.set(running, of: client)
    }

    func remove(_ client: StreamExchange) {
        _ = table.set(nil, of: client)
    }

    func retryNow(_ resource: Resource) {
        for running in table.values where running.resource === resource { running.exchange.retryNow() }
    }

    func unfinishedWork(includingTimers: Bool) -> [String] {
        table.values.filter { $0.isWork && (includingTimers || !$0.exchange.isWaitingForTimer) }
            .map { "the bytes of \($0.resource) are read" }
    }

    func cancellation(of resources: [Resource], _ extent: Resource.WipeExtent) -> (() -> Void)? {
        guard extent != .memory, !table.isEmpty else { return nil }
        let wiped = Set(resources.map(ObjectIdentifier.init))
        let streams = table.values.filter { wiped.contains(ObjectIdentifier($0.resource)) }.map(\.stream)
        return streams.isEmpty ? nil : { for stream in streams { stream.abandon() } }
    }

    func principalChanged(of resources: [Resource]) {
        for running in table.values where running.resource.isPersonal { running.stream.abandon() }
    }
}
