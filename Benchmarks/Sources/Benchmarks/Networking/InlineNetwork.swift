import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers at once, on the caller's thread, with a response object made beforehand: what is left is the library's own
/// cost.
@MainActor
final class InlineNetwork: NetworkingProvider {
    private(set) var response: HTTPURLResponse?
    private let body: Data
    private let handle = Handle()
    private var held: [RequestNetworkingCompletionCallback] = []
    private let isHolding: Bool

    init(
        status: Int = 200, contentType: String = "application/octet-stream", body: Data = Data(),
        isHolding: Bool = false
    ) {
        self.body = body
        self.isHolding = isHolding
        setResponse(status: status, headers: ["Content-Type": contentType])
    }

    /// Changes the response to later requests.
    func setResponse(status: Int, headers: [String: String]) {
        response = URL(string: "http://a.test/").flatMap {
            HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        }
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        if isHolding { held.append(completion) } else { completion(response, body, nil) }
        return handle
    }

    /// Makes room for answers that will be held back.
    func reserveCapacity(_ count: Int) {
        held.reserveCapacity(count)
    }

    func releaseAll() {
        let released = held
        held = []
        for completion in released { completion(response, body, nil) }
    }

    private final class Handle: RequestNetworking {
        let transferMetrics = RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)

        func cancel() {}
    }
}

/// Makes a service. The rows keep it as long as its resources, as apps do: the resources of a released service are slower.
@MainActor
func makeService(_ network: InlineNetwork = InlineNetwork(), limit: Int = 1 << 30) -> Service {
    let service = Service(baseURL: "http://a.test/api", networking: network)
    service.cachedResourceCountLimit = limit
    return service
}

/// Waits until the main actor has done what was handed to it before.
@MainActor
func mainQueueTurn() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
