#if os(Linux) || os(Android)
import CurlTransport
import Foundation
import FoundationNetworking
import Isolation

extension TransportRequest {
    /// Creates the transport's form of a request.
    ///
    /// `URLRequest` does not tell whether its time-out was set. If the time-out is 60 seconds, which is the default,
    /// the time-out of the options applies.
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

extension TransportRequest {
    /// Adds the properties that a `URLRequest` cannot express.
    mutating func apply(_ extras: RequestExtras) {
        if let login = extras.login { self.login = Login(login) }
        if let scope = extras.secretScope { secretScope = SecretScope(scope) }
        if extras.deliversRedirects { followsRedirects = false }
        if extras.obtainsCredential { obtainsCredential = true }
    }
}

extension TransportRequest.Login {
    fileprivate init(_ login: RequestExtras.Login) {
        switch login.scheme {
        case .digest: self.init(user: login.user, password: login.password, scheme: .digest)
        }
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

/// An `InputStream` as a request body. It is read on a separate queue, because such streams block their readers.
private struct InputStreamSource: BodySource {
    private let reader: QueueIsolated<StreamReader>

    init(_ stream: sending InputStream) {
        reader = QueueIsolated(label: "Siesta.InputStreamSource") { StreamReader(stream) }
    }

    func next() async throws -> Data? { try await reader.run { reader in try reader.read() } }
}

/// Opens a stream at the first read, and closes it when this object is released.
private final class StreamReader {
    private let stream: InputStream

    init(_ stream: InputStream) {
        self.stream = stream
    }

    deinit {
        stream.close()
    }

    func read() throws -> Data? {
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
