#if os(Linux) || os(Android)
import Foundation

/// Decodes whole bodies in memory, within the limits of the transport.
struct BodyDecoding: Sendable {
    let coding: ContentCoding
    /// The maximum length of the decoded body, in bytes.
    let limit: Int
    let budget: BodyBudget

    /// Decodes the body of a response. A small body is decoded at once; a large body on a global queue, so that no
    /// other exchange waits. If the exchange is cancelled, decoding stops after the current slice.
    func decode(
        _ response: TransportResponse, isCancelled: @escaping @Sendable () -> Bool,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let smallLimit = min(limit, Self.smallOutput)
        if response.body.count <= Self.smallInput, let body = try? decode(response.body, limit: smallLimit) {
            var response = response
            response.body = body
            return completion(.success(response))
        }
        DispatchQueue.global(qos: .userInitiated).async {
            completion(result(of: response, isCancelled: isCancelled))
        }
    }

    private func result(
        of response: TransportResponse, isCancelled: () -> Bool
    ) -> Result<TransportResponse, TransportError> {
        do throws(TransportError) {
            var response = response
            response.body = try withReserved(response.body.count) { () throws(TransportError) in
                try decode(response.body, limit: limit, isCancelled: isCancelled)
            }
            return .success(response)
        } catch {
            var error = error
            error.metrics = response.metrics
            return .failure(error)
        }
    }

    private func decode(
        _ body: Data, limit: Int, isCancelled: () -> Bool = { false }
    ) throws(TransportError) -> Data {
        let decoder = ContentDecoder(coding)
        decoder.append(body)
        var decoded = BodyBuffer(budget: budget)
        while let slice = try decoder.slice() {
            guard !isCancelled() else { throw TransportError(.cancelled, "Cancelled") }
            switch slice.withUnsafeBytes({ decoded.append($0, announced: 0, limit: limit) }) {
            case .taken: break
            case .overLimit: throw TransportError(.bodyTooLarge, "The decoded body exceeds the limit of \(limit) bytes")
            case .overBudget: throw TransportError(.bodyTooLarge, BodyBudget.refusal)
            case .outOfMemory: throw TransportError(.outOfMemory, "No memory for the body")
            }
        }
        try decoder.finish()
        return decoded.take()
    }

    /// Counts the encoded body against the budget while `work` runs.
    private func withReserved(_ count: Int, _ work: () throws(TransportError) -> Data) throws(TransportError) -> Data {
        guard budget.reserve(count) else { throw TransportError(.bodyTooLarge, BodyBudget.refusal) }
        defer { budget.release(count) }
        return try work()
    }

    private static let smallInput = 16 << 10
    private static let smallOutput = 64 << 10
}
#endif
