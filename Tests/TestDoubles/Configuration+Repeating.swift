package import SiestaCore

extension Configuration {
    /// Sends a request once more after a 401, as apps for Siesta 1.5 do after they have logged in.
    @MainActor
    package mutating func repeatRefusedRequests() {
        decorateRequests { _, request in
            request.chained { $0.failure?.httpStatusCode == 401 ? .passTo(request.repeated()) : .useThisResponse }
        }
    }
}
