// The code of the article about networking. It is compiled, not run.
import Foundation
import Siesta
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

// snippet.default
let service = Service(baseURL: "https://api.example.com")
// snippet.end

// snippet.session
let cached = Service(baseURL: "https://api.example.com", networking: URLSessionConfiguration.ephemeral)
// snippet.end

#if os(Linux)
// snippet.options
var options = TransportOptions()
options.caFile = "/etc/ssl/our-own.pem"
options.connectTimeout = 5
options.totalTimeout = 60
options.bodyBytes = 10_000_000
options.proxy = .none
let internalAPI = Service(baseURL: "https://api.internal", networking: CurlProvider(options: options))
// snippet.end

// snippet.socket
var toDocker = TransportOptions()
toDocker.unixSocket = "/var/run/docker.sock"
let docker = Service(baseURL: "http://docker", networking: CurlProvider(options: toDocker))
// snippet.end
#endif

// snippet.errors
service.resource("/thing").load().onFailure { error in
    print(error.userMessage)  // "The server took too long to respond."
    switch (error.cause as? URLError)?.code {
    case .timedOut, .networkConnectionLost: print("worth another try")
    case .notConnectedToInternet: print("wait for a network")
    default: break
    }
    #if os(Linux)
    if let failure = error.transportError {
        print(failure.kind, failure.curlCode ?? 0, failure.message)
    }
    #endif
}
// snippet.end

// snippet.metrics
service.resource("/thing").load().onCompletion { info in
    guard let metrics = info.metrics else { return }
    print(
        "first byte after \(metrics.firstByte ?? 0) s, \(metrics.responseBytes) bytes, HTTP/\(metrics.httpVersion ?? "?")"
    )
}
// snippet.end

// snippet.wrapper
/// Counts the requests that another provider gets.
@MainActor
final class CountingProvider: NetworkingProvider {
    private let next: any NetworkingProvider
    private(set) var requests = 0

    init(_ next: any NetworkingProviderConvertible = DefaultNetworking()) {
        self.next = next.siestaNetworkingProvider
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        requests += 1
        return next.startRequest(request, completion: completion)
    }
}

let counted = Service(baseURL: "https://api.example.com", networking: CountingProvider())
// snippet.end

// snippet.testing
let network = StubNetwork()
network.answer(.get, "/users/42", with: .json(#"{"name": "Ada"}"#), .failure(.timedOut))
let clock = TestClock()
let tested = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
// snippet.end

// snippet.provider
/// Responds to every request with a file from a folder.
struct FolderProvider: NetworkingProvider {
    let folder: URL

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let reading = Reading()
        DispatchQueue.global().async { [folder] in
            guard let url = request.url else { return completion(nil, nil, URLError(.badURL)) }
            let data = try? Data(contentsOf: folder.appendingPathComponent(url.lastPathComponent))
            let status = data == nil ? 404 : 200
            completion(
                HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil), data, nil)
        }
        return reading
    }

    private struct Reading: RequestNetworking {
        func cancel() {}
        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: 0, responseBytesReceived: 0, responseBytesTotal: nil)
        }
    }
}
// snippet.end
