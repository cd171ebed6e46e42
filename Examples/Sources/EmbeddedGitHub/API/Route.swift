/// Where a request leads.
enum Route: Sendable, Equatable {
    /// To an endpoint, with the values of its variable segments in their order.
    case endpoint(Endpoint, [String])

    /// To a path that exists, with a method that it does not answer.
    case wrongMethod(allowed: [String])

    /// Nowhere.
    case nowhere

    /// Finds the way by method and path; literal segments are case-sensitive, as the service's are.
    init(method: String, segments: [String]) {
        for endpoint in Endpoint.allCases {
            guard let arguments = endpoint.arguments(in: segments) else { continue }
            let isAllowed = endpoint.methods.contains(method)
            self = isAllowed ? .endpoint(endpoint, arguments) : .wrongMethod(allowed: endpoint.methods)
            return
        }
        self = .nowhere
    }
}
