import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The owner of the response of one iteration. It sends the request when the first piece is requested, and ends the
/// request when this object is released.
final class ResponseIteration: Sendable {
    private let exchange: StreamExchange
    private let stream: ByteStream

    init(_ bytes: ResponseBytes) {
        let exchange = StreamExchange(bytes)
        self.exchange = exchange
        stream = ByteStream { MainQueue.async { exchange.cancel() } }
    }

    deinit {
        stream.abandon()
    }

    /// The head of the response; nil before the first piece or the end.
    var head: NetworkResponse.Head? { stream.head }

    func next() async throws(RequestError) -> Data? {
        await exchange.start(into: stream)
        return try await stream.next()
    }
}

/// A request whose response goes to a stream.
@MainActor
private final class StreamExchange {
    private let bytes: ResponseBytes
    private var networking: (any RequestNetworking)?
    /// The service. A running request keeps it alive, because the configuration may rely on it.
    private var service: AnyObject?
    private var isStarted = false
    private var isCancelled = false
    private var authorization: TransferAuthorization?

    nonisolated init(_ bytes: ResponseBytes) {
        self.bytes = bytes
    }

    /// Sends the request. Only the first call has an effect.
    func start(into stream: ByteStream) {
        guard !isStarted else { return }
        isStarted = true
        bytes.resource.context.clock.whileCurrent { send(into: stream) }
    }

    private func send(into stream: ByteStream) {
        let context = bytes.resource.context
        guard !Task.isCancelled else { return stream.end(.failure(.cancelled())) }
        guard !bytes.resource.isInvalid else { return stream.end(.failure(invalidURL)) }
        service = context.currentService
        let request = PreparedRequest(bytes.recipe)
        if let defect = request.defect { return stream.end(.failure(defect)) }
        SiestaLog.log(.network, [request.method, request.url, "as a stream"])
        context.streams[ObjectIdentifier(self)] = (stream, bytes.resource, { [weak self] in self?.isWaiting ?? false })
        let authorization = TransferAuthorization(bytes.resource)
        guard authorization.isNeeded else {
            return send(.init(request: request.urlRequest, extras: nil), of: request, into: stream)
        }
        self.authorization = authorization
        authorize(request, authorization, into: stream)
    }

    /// Sends the request with the credential of the session.
    private func authorize(
        _ request: PreparedRequest, _ authorization: TransferAuthorization, into stream: ByteStream
    ) {
        Task {
            do throws(RequestError) {
                let authorized = try await authorization.authorized(request, as: request.urlRequest)
                send(authorized, of: request, into: stream)
            } catch {
                end(stream)
                stream.end(.failure(error))
            }
        }
    }

    private func send(
        _ authorized: TransferAuthorization.Authorized, of request: PreparedRequest, into stream: ByteStream
    ) {
        guard !isCancelled else {
            end(stream)
            return stream.end(.failure(.cancelled()))
        }
        stream.expectResponse(to: authorized.request)
        networking = bytes.resource.context.starter.start(
            authorized.request, receiver: stream, extras: authorized.extras
        ) { _, _, error in
            MainQueue.async { self.finish(stream, error, request) }
        }
    }

    private var isWaiting: Bool { (networking as? any TimedNetworking)?.isWaitingForTimer ?? false }

    func cancel() {
        isCancelled = true
        authorization?.cancel()
        networking?.cancel()
    }

    private func end(_ stream: ByteStream) {
        bytes.resource.context.streams[ObjectIdentifier(self)] = nil
        _ = service.take()  // Released after the change, because the release may run code of the app; same below.
    }

    private func finish(_ stream: ByteStream, _ error: (any Error)?, _ request: PreparedRequest) {
        _ = networking.take()
        if !isCancelled, let authorization, authorization.isRepeated(after: stream.refusal(error)) {
            stream.restart()
            return authorize(request, authorization, into: stream)
        }
        bytes.resource.context.streams[ObjectIdentifier(self)] = nil
        guard let refusal = stream.refusal(error) else {
            let entity = Entity<Any>(headerFields: stream.head?.fields ?? HeaderFields([:]), content: Data())
            bytes.resource.context.clock.whileCurrent {
                bytes.resource.noteWrite(request, ResponseInfo(response: .success(entity)), by: nil)
            }
            _ = service.take()
            return stream.end(.success(()))
        }
        Task {
            let response = await refusal.refusal(to: request)
            bytes.resource.noteWrite(request, ResponseInfo(response: response), by: nil)
            if case .failure(let error) = response {
                stream.end(.failure(error))
            } else {  // The pipeline has converted the error to a success, which is not a stream.
                stream.end(.failure(refusal.plainError(for: request)))
            }
            _ = service.take()
        }
    }

    private var invalidURL: RequestError {
        RequestError(
            userMessage: UserMessages.current.invalidURL,
            cause: bytes.resource.peculiarityCause)
    }
}
