import Foundation
public import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The network of a service whose inspector may take it offline, delay or fail its requests, and record them.
///
/// Pass it to the service in place of the provider. While the page has no switch on and records nothing, it passes all
/// requests to the provider unchanged, and costs one comparison for each.
///
///     let service = Service(baseURL: "https://api.example.com", networking: InspectorNetwork())
///     let inspector = Inspector(service, permissions: .full)
///
/// The service keeps cookies, streams bodies and signs in as it does without this object.
@MainActor
public final class InspectorNetwork: NetworkingProviderConvertible {
    private let source: any NetworkingProviderConvertible
    /// Made for the first service, because a network may keep the clock that is current then.
    private lazy var provider = InterceptedProvider(source.siestaNetworkingProvider, interceptor: NetworkControl())

    /// Creates a network around a provider, a session or a session configuration.
    public init(around networking: any NetworkingProviderConvertible = DefaultNetworking()) {
        source = networking
    }

    /// The provider that the service uses.
    public var siestaNetworkingProvider: any NetworkingProvider { provider }
}

/// The switches of one ``InspectorNetwork``, and the recording of its exchanges.
@MainActor
final class NetworkControl: ExchangeInterceptor {
    var switches = NetworkSwitches()
    /// The recorded exchanges; nil while nothing is recorded.
    private(set) var recording: HARRecording?
    /// The exchanges that were recorded last.
    private(set) var lastRecording: HARRecording?
    private var generator = SystemRandomNumberGenerator()

    nonisolated init() {}

    func decision(for request: URLRequest) -> ExchangeDecision {
        var decision = ExchangeDecision.pass
        if !switches.isOff {
            let origin = InspectorModel.origin(of: request.url?.absoluteString ?? "")
            decision = switches.decision(for: origin, random: Double.random(in: 0..<1, using: &generator))
        }
        guard recording != nil else { return decision }
        let start = HARRecording.Start(request, at: Date())
        decision.record = { [weak self] in self?.recording?.append(start, $0, endingAt: Date()) }
        return decision
    }

    func startRecording() { recording = HARRecording() }

    func stopRecording() {
        if let recording { lastRecording = recording }
        recording = nil
    }
}
