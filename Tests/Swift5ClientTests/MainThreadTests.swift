import Foundation
import Siesta
import Testing

/// An app that was compiled without isolation checks, and calls the library on another thread.
@Suite(.timeLimit(.minutes(30)))
struct MainThreadTests {
    /// A call that must be made on the main actor. The last ones are too frequent to be checked in release builds.
    enum Call: String, CaseIterable, Codable, Sendable {
        case load = "Resource.load()"
        case loadUsing = "Resource.load(using:)"
        case request = "Resource.request(_:)"
        case wipe = "Resource.wipe()"
        case invalidate = "Resource.invalidate()"
        case overrideContent = "Resource.overrideLocalContent(with:)"
        case overrideData = "Resource.overrideLocalData(with:)"
        case cancelUnobserved = "Resource.cancelLoadIfUnobserved()"
        case removeObservers = "Resource.removeObservers(ownedBy:)"
        case configuration = "Resource.configuration(for:)"
        case start = "Request.start()"
        case cancel = "Request.cancel()"
        case repeated = "Request.repeated()"
        case broadcast = "RequestCompletionHandler.broadcastResponse(_:)"
        case initialize = "Service.init()"
        case configure = "Service.configure()"
        case invalidateConfiguration = "Service.invalidateConfiguration()"
        case wipeResources = "Service.wipeResources()"
        case flush = "Service.flushUnusedResources()"
        case limit = "Service.cachedResourceCountLimit"
        case lookUp = "Service.resource(_:)"
        case lookUpAbsolute = "Service.resource(absoluteURL:)"
        case child = "Resource.child(_:)"
        case loadIfNeeded = "Resource.loadIfNeeded()"
        case latestData = "Resource.latestData"
        case isUpToDate = "Resource.isUpToDate"
        case isLoading = "Resource.isLoading"
        case addObserver = "Resource.addObserver(_:)"
        case addClosure = "Resource.addObserver(_:owner:)"
        case hook = "Request.onCompletion(_:)"
        case progress = "Request.progress"

        static let checked: [Call] = {
            #if DEBUG
            return allCases
            #else
            return allCases.filter { call in
                switch call {
                case .lookUp, .lookUpAbsolute, .child, .loadIfNeeded, .latestData, .isUpToDate, .isLoading,
                    .addObserver, .addClosure, .removeObservers, .hook, .progress, .start, .configuration:
                    return false
                default: return true
                }
            }
            #endif
        }()
    }

    @Test("A call off the main thread ends the process with a message that says what to do", arguments: Call.checked)
    func endsProcess(_ call: Call) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [call] in
            let world = World()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread {
                    world.make(call)
                    continuation.resume()
                }
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Siesta: `\(call.rawValue)` was called off the main thread."), "\(text)")
        #expect(text.contains("await MainActor.run { … }"))
    }

    @Test("Calls from the main thread pass, also inside what another queue runs for it at once")
    func passes() async {
        await #expect(processExitsWith: .success) {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue.main.async {
                    let world = World()
                    DispatchQueue(label: "another").sync {
                        for call in Call.allCases { world.make(call) }
                    }
                    continuation.resume()
                }
            }
        }
    }

    class World {
        let service: Service
        let resource: Resource
        let custom: Request
        let work = HoldingDelegate()

        init() {
            if DispatchQueue.getSpecific(key: World.key) == nil {
                DispatchQueue.main.setSpecific(key: World.key, value: true)
            }
            let make = { Service(baseURL: "https://h.test/", networking: CannedNetwork()) }
            let isMain = DispatchQueue.getSpecific(key: World.key) == true
            let service = isMain ? make() : DispatchQueue.main.sync(execute: make)
            let work = self.work
            let rest = { () -> (Resource, Request) in
                let request = Resource.prepareRequest(using: work)
                return (service.resource("/x"), request.start())
            }
            self.service = service
            (resource, custom) = isMain ? rest() : DispatchQueue.main.sync(execute: rest)
        }

        private static let key = DispatchSpecificKey<Bool>()

        func make(_ call: Call) {
            switch call {
            case .load: resource.load()
            case .loadUsing: resource.load(using: custom)
            case .request: _ = resource.request(.post)
            case .wipe: resource.wipe()
            case .invalidate: resource.invalidate()
            case .overrideContent: resource.overrideLocalContent(with: "x")
            case .overrideData: resource.overrideLocalData(with: Entity<Any>(content: "x", contentType: "text/plain"))
            case .cancelUnobserved: resource.cancelLoadIfUnobserved()
            case .removeObservers: resource.removeObservers(ownedBy: self)
            case .configuration: _ = resource.configuration
            case .start: custom.start()
            case .cancel: custom.cancel()
            case .repeated: _ = custom.repeated()
            case .broadcast: work.end()
            case .initialize: _ = Service(baseURL: "https://h.test/", networking: CannedNetwork())
            case .configure: service.configure { $0.expirationTime = 1 }
            case .invalidateConfiguration: service.invalidateConfiguration()
            case .wipeResources: service.wipeResources()
            case .flush: service.flushUnusedResources()
            case .limit: service.cachedResourceCountLimit = 10
            case .lookUp: _ = service.resource("/y")
            case .lookUpAbsolute: _ = service.resource(absoluteURL: "https://h.test/y")
            case .child: _ = resource.child("y")
            case .loadIfNeeded: resource.loadIfNeeded()
            case .latestData: _ = resource.latestData
            case .isUpToDate: _ = resource.isUpToDate
            case .isLoading: _ = resource.isLoading
            case .addObserver: resource.addObserver(SilentObserver())
            case .addClosure: resource.addObserver(owner: self) { _, _ in }
            case .hook: custom.onCompletion { _ in }
            case .progress: _ = custom.progress
            }
        }
    }

    class SilentObserver: ResourceObserver {
        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
    }

    class HoldingDelegate: RequestDelegate {
        private var handler: RequestCompletionHandler?

        func startUnderlyingOperation(passingResponseTo completionHandler: RequestCompletionHandler) {
            handler = completionHandler
        }

        func end() {
            handler?.broadcastResponse(
                ResponseInfo(response: .success(Entity<Any>(content: "x", contentType: "text/plain"))))
        }

        func cancelUnderlyingOperation() {}

        func repeated() -> RequestDelegate { return self }
    }
}
