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
                if Task.isCancelled { started?.cancel() }  // Cancelled by code that ran during the start.
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
