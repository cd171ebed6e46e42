import Foundation
import Siesta

// Custom requests of an app: a delegate, and a class that conforms to Request by wrapping another request.

/// Delivers a fixed value after one turn of the main queue.
class EchoDelegate: RequestDelegate {
    private let content: Any
    private var isCancelled = false
    private(set) var startCount = 0
    private(set) static var cancelCount = 0

    init(content: Any) {
        self.content = content
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: RequestCompletionHandler) {
        startCount += 1
        DispatchQueue.main.async {
            guard !self.isCancelled else { return }
            let response = ResponseInfo(response: .success(Entity<Any>(content: self.content, contentType: "x/echo")))
            if !completionHandler.willIgnore(response) { completionHandler.broadcastResponse(response) }
        }
    }

    func cancelUnderlyingOperation() {
        isCancelled = true
        EchoDelegate.cancelCount += 1
    }

    func repeated() -> RequestDelegate {
        return EchoDelegate(content: content)
    }
}

/// A delegate that implements every member.
struct ImmediateDelegate: RequestDelegate {
    var response: Response

    func startUnderlyingOperation(passingResponseTo completionHandler: RequestCompletionHandler) {
        completionHandler.broadcastResponse(ResponseInfo(response: response, isNew: true))
    }

    func cancelUnderlyingOperation() {}
    func repeated() -> RequestDelegate { return self }
    func computeProgress() -> Double { return 0.5 }
    let progressReportingInterval: TimeInterval = 0.2
    var requestDescription: String { return "immediate" }
}

/// A delegate by extension, as view models sometimes are.
class Uploader {
    var uploaded: [String] = []
    var onUpload: (() -> Void)?
}

extension Uploader: RequestDelegate {
    func startUnderlyingOperation(passingResponseTo completionHandler: RequestCompletionHandler) {
        uploaded.append("something")
        onUpload?()
        completionHandler.broadcastResponse(
            ResponseInfo(response: .failure(RequestError(userMessage: "disk full", cause: DiskFull()))))
    }

    func cancelUnderlyingOperation() { uploaded.removeAll() }
    func repeated() -> RequestDelegate { return self }
}

struct DiskFull: Error {}

/// A request that wraps another and counts the calls.
final class TracingRequest: Request {
    private let wrapped: Request
    private(set) var trace: [String] = []
    var notes: [String: Int] = [:]

    init(_ wrapped: Request) {
        self.wrapped = wrapped
    }

    func onCompletion(_ callback: @escaping (ResponseInfo) -> Void) -> Request {
        wrapped.onCompletion(callback)
        return self
    }

    func onSuccess(_ callback: @escaping (Entity<Any>) -> Void) -> Request {
        return onCompletion {
            if case .success(let entity) = $0.response { callback(entity) }
        }
    }

    @discardableResult
    func onNewData(_ callback: @escaping (Entity<Any>) -> Void) -> Request {
        wrapped.onNewData(callback)
        return self
    }

    func onNotModified(_ callback: @escaping () -> Void) -> Request {
        wrapped.onNotModified(callback)
        return self
    }

    func onFailure(_ callback: @escaping (RequestError) -> Void) -> Request {
        wrapped.onFailure(callback)
        return self
    }

    func onProgress(_ callback: @escaping (Double) -> Void) -> Request {
        wrapped.onProgress(callback)
        return self
    }

    func start() -> Request {
        trace.append("start")
        wrapped.start()
        return self
    }

    var state: RequestState { return wrapped.state }
    var progress: Double { return wrapped.progress }

    func cancel() {
        trace.append("cancel")
        wrapped.cancel()
    }

    func repeated() -> Request {
        return TracingRequest(wrapped.repeated())
    }
}
