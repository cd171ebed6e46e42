import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers at once, on the caller's thread, with a response object made beforehand: what is left is the library's own cost.
@MainActor
final class InlineNetwork: NetworkingProvider {
    private let response: HTTPURLResponse?
    private let body: Data
    private let handle = Handle()
    private var held: [RequestNetworkingCompletionCallback] = []
    var isHolding = false

    init(
        status: Int = 200, headers: [String: String] = ["Content-Type": "application/octet-stream"], body: Data = Data()
    ) {
        self.body = body
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

@MainActor
func makeService(_ network: InlineNetwork = InlineNetwork()) -> Service {
    let service = Service(baseURL: "http://a.test/api", networking: network)
    service.cachedResourceCountLimit = 1 << 30
    return service
}

/// Waits until the main actor has done what was handed to it.
@MainActor
func mainQueueTurn() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
