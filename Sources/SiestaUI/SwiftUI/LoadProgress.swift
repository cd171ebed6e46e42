#if canImport(SwiftUI)
import SiestaCore

/// The progress of the loads of resources that a `ProgressView` shows.
///
/// A `ProgressView` that is made in the body of a view has no place for a model. Therefore the models are here, each from
/// the first evaluation until the loads end. They do not observe the resource, so that they keep no load alive.
@MainActor
final class LoadProgress {
    private static var running: [ObjectIdentifier: LoadProgress] = [:]

    private let model = ProgressModel()
    private var requests: [ObjectIdentifier: any Request] = [:]

    private init() {
        model.delay = 0
    }

    /// Returns the progress of the loads of a resource from 0 to 1; nil if it is not known yet. Without a load, returns 1 if
    /// there is data, else 0. Observation tracks the result.
    static func fraction(of resource: Resource) -> Double? {
        guard resource.isLoading else { return resource.latestData == nil ? 0 : 1 }
        let key = ObjectIdentifier(resource)
        let progress = running[key] ?? LoadProgress()
        for request in resource.loadRequests { progress.track(request, key) }
        if !progress.requests.isEmpty { running[key] = progress }
        return progress.model.fraction
    }

    private func track(_ request: any Request, _ key: ObjectIdentifier) {
        guard !request.isCompleted, requests.updateValue(request, forKey: ObjectIdentifier(request)) == nil else {
            return
        }
        model.track(request)
        request.onCompletion { _ in
            self.requests[ObjectIdentifier(request)] = nil
            if self.requests.isEmpty { Self.running[key] = nil }
        }
    }
}
#endif
