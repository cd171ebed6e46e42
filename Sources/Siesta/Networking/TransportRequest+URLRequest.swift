#if os(Linux)
import CurlTransport
import Foundation
import FoundationNetworking

extension TransportRequest {
    /// Creates the transport's form of a request.
    ///
    /// `URLRequest` does not reveal whether its time-out was set. If it is 60 seconds, the default, the options'
    /// time-out applies.
    init(_ request: URLRequest) throws(TransportError) {
        guard let url = request.url else { throw TransportError(.badURL, "The request has no URL") }
        var headers = HeaderList()
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            headers.append(name, value)
        }
        self.init(
            request.httpMethod ?? "GET", url.absoluteURL, headers: headers, body: Body(request),
            idleTimeout: request.timeoutInterval == 60 ? nil : request.timeoutInterval)
    }
}

extension TransportRequest.Body {
    fileprivate init(_ request: URLRequest) {
        if let stream = request.httpBodyStream {
            let length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
            self = .stream(InputStreamSource(stream), length: length)
        } else if let data = request.httpBody {
            self = .data(data)
        } else {
            self = .none
        }
    }
}

/// An `InputStream` as a request body. It is read on its own queue, because such streams block their readers.
private final class InputStreamSource: BodySource, @unchecked Sendable {  // sound: used on `queue` only
    private let stream: InputStream
    private let queue = DispatchQueue(label: "Siesta.InputStreamSource", qos: .userInitiated)

    init(_ stream: InputStream) {
        self.stream = stream
    }

    deinit {
        stream.close()
    }

    func next() async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.read() }) }
        }
    }

    private func read() throws -> Data? {
        if stream.streamStatus == .notOpen {
            stream.open()
        }
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = stream.read(&piece, maxLength: piece.count)
        guard count >= 0 else { throw stream.streamError ?? CocoaError(.fileReadUnknown) }
        return count == 0 ? nil : Data(piece[..<count])
    }
}
#endif
