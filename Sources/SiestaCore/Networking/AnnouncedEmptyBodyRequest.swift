import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request whose body was announced as empty. It reads the source to its end before it sends the request. A network
/// does not read a body of 0 bytes. Therefore unexpected bytes from the source would be ignored, and the request would
/// seem to succeed.
@MainActor
final class AnnouncedEmptyBodyRequest: RequestNetworking {
    typealias Start = @MainActor (any StreamedBody) -> any RequestNetworking

    private var started: (any RequestNetworking)?
    private var reading: Task<Void, Never>?

    init(
        _ body: any StreamedBody, completion: @escaping @Sendable (NetworkResponse) -> Void, start: @escaping Start
    ) {
        reading = Task {
            do {
                let reader = try body.makeReader()
                while try await reader.next() != nil { try Task.checkCancellation() }
                try Task.checkCancellation()
                started = start(SegmentedBody(segments: []))
            } catch {
                completion(NetworkResponse(error: Task.isCancelled ? URLError(.cancelled) : error))
            }
        }
    }

    func cancel() {
        reading?.cancel()
        started?.cancel()
    }

    var transferMetrics: RequestTransferMetrics { started?.transferMetrics ?? .nothing }

    var requestMetrics: RequestMetrics? { started?.requestMetrics }
}

extension Transport {
    /// Starts a call. A body that is announced as empty, and can be read only once, is read first.
    @MainActor func send(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        guard let body = call.body, body.length == 0, !body.isRepeatable, capabilities.contains(.streaming) else {
            return start(call, completion: completion)
        }
        return AnnouncedEmptyBodyRequest(body, completion: completion) {
            var call = call
            call.body = $0
            return start(call, completion: completion)
        }
    }
}
