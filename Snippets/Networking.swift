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
#if canImport(Alamofire)
import Alamofire
#endif
#if canImport(AsyncHTTPClient)
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
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

// snippet.async-session
let session = URLSession(configuration: .ephemeral)
let overSession = AsyncNetworkingProvider { request in
    let (body, response) = try await session.data(for: request)
    guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return (body, head)
}
let sessionAPI = Service(baseURL: "https://api.example.com", networking: overSession)
// snippet.end

#if canImport(Alamofire)
// snippet.alamofire
let overAlamofire = AsyncNetworkingProvider { request in
    let response = await AF.request(request)
        .serializingData(automaticallyCancelling: true, emptyResponseCodes: Set(200...599)).response
    let body = try response.result.mapError { $0.underlyingError ?? $0 }.get()
    guard let head = response.response else { throw URLError(.badServerResponse) }
    return (body, head)
}
// snippet.end
#endif

#if canImport(AsyncHTTPClient)
// snippet.async-http-client
let overAsyncHTTPClient = AsyncNetworkingProvider { request in
    guard let url = request.url, request.httpBodyStream == nil else { throw URLError(.requestBodyStreamExhausted) }
    var outgoing = HTTPClientRequest(url: url.absoluteString)
    outgoing.method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
    for (name, value) in request.allHTTPHeaderFields ?? [:] { outgoing.headers.add(name: name, value: value) }
    if let body = request.httpBody { outgoing.body = .bytes(body) }
    let response = try await HTTPClient.shared.execute(outgoing, timeout: .seconds(60))
    let body = try await response.body.collect(upTo: 64_000_000)
    let headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
    let head = HTTPURLResponse(
        url: url, statusCode: Int(response.status.code), httpVersion: nil, headerFields: headers)
    guard let head else { throw URLError(.badServerResponse) }
    return (Data(body.readableBytesView), head)
}
// snippet.end
#endif

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
