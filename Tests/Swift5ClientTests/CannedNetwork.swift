import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Networking providers as apps for Siesta 1.5 write them: a class with state, a struct that wraps another provider, and
// handles that keep their callback.

/// A provider with a table of responses, which responds on a background queue.
class CannedNetwork: NetworkingProvider {
    struct Answer {
        var status = 200
        var headers = ["Content-Type": "application/json"]
        var body = "{}"
        var error: Error?
    }

    var answers: [String: [Answer]] = [:]
    var requests: [URLRequest] = []
    var isHolding = false
    private(set) var held: [CannedRequest] = []
    private let queue = DispatchQueue(label: "canned network")

    func answer(_ method: String = "GET", _ path: String, with answers: Answer...) {
        self.answers["\(method) \(path)"] = answers
    }

    func startRequest(_ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback)
        -> RequestNetworking
    {
        requests.append(request)
        let canned = CannedRequest(request, answer: nextAnswer(to: request), completion: completion)
        if isHolding {
            held.append(canned)
        } else {
            queue.async { canned.complete() }
        }
        return canned
    }

    func releaseHeld() {
        isHolding = false
        for request in held { request.complete() }
        held = []
    }

    private func nextAnswer(to request: URLRequest) -> Answer {
        let key = "\(request.httpMethod ?? "") \(request.url?.path ?? "")"
        guard var list = answers[key], let first = list.first else {
            return Answer(status: 404, headers: [:], body: "")
        }
        if list.count > 1 {
            list.removeFirst()
            answers[key] = list
        }
        return first
    }
}

class CannedRequest: RequestNetworking {
    let completion: RequestNetworkingCompletionCallback
    private let request: URLRequest
    private let answer: CannedNetwork.Answer
    private let lock = NSLock()
    private var isDone = false

    init(
        _ request: URLRequest, answer: CannedNetwork.Answer, completion: @escaping RequestNetworkingCompletionCallback
    ) {
        self.request = request
        self.answer = answer
        self.completion = completion
    }

    func complete() {
        finish(
            HTTPURLResponse(
                url: request.url!, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers),
            answer.body.data(using: .utf8), answer.error)
    }

    func cancel() {
        finish(nil, nil, URLError(.cancelled))
    }

    var transferMetrics: RequestTransferMetrics {
        return RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0,
            responseBytesTotal: Int64(answer.body.utf8.count))
    }

    private func finish(_ response: HTTPURLResponse?, _ body: Data?, _ error: Error?) {
        lock.lock()
        let wasDone = isDone
        isDone = true
        lock.unlock()
        if !wasDone { completion(error == nil ? response : nil, error == nil ? body : nil, error) }
    }
}

/// Adds a header to every request. Spells out the type of the callback.
struct StampingNetwork: NetworkingProvider {
    let wrapped: NetworkingProvider
    var stamp: String

    init(_ wrapped: NetworkingProviderConvertible, stamp: String) {
        self.wrapped = wrapped.siestaNetworkingProvider
        self.stamp = stamp
    }

    func startRequest(_ request: URLRequest, completion: @escaping (HTTPURLResponse?, Data?, Error?) -> Void)
        -> RequestNetworking
    {
        var request = request
        request.setValue(stamp, forHTTPHeaderField: "X-Stamp")
        let handle = wrapped.startRequest(request) { response, data, error in
            completion(response, data, error)
        }
        return StampedRequest(wrapped: handle)
    }
}

struct StampedRequest: RequestNetworking {
    let wrapped: RequestNetworking
    func cancel() { wrapped.cancel() }
    var transferMetrics: RequestTransferMetrics { return wrapped.transferMetrics }
}

/// Passes the callback on unchanged, and counts the responses that pass through another callback.
final class CountingNetwork: NetworkingProvider {
    private let wrapped: NetworkingProvider
    private(set) var answered = 0

    init(_ wrapped: NetworkingProvider) {
        self.wrapped = wrapped
    }

    func startRequest(_ request: URLRequest, completion: @escaping (HTTPURLResponse?, Data?, Error?) -> Void)
        -> RequestNetworking
    {
        var calls = 0
        guard request.httpMethod == "GET" else { return wrapped.startRequest(request, completion: completion) }
        return wrapped.startRequest(request) { response, data, error in
            calls += 1
            self.answered += calls
            completion(response, data, error)
        }
    }
}

/// A handle that has only a task.
struct TaskHandle: SessionTaskContainer {
    let task: URLSessionTask
}

/// A type that is not a provider, but can be converted to one.
final class NetworkChoice: NetworkingProviderConvertible {
    var canned = CannedNetwork()
    var siestaNetworkingProvider: NetworkingProvider { return canned }
}
