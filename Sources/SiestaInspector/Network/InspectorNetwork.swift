import Foundation
public import SiestaCore
import SiestaRecording

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The network of a service whose inspector may take it offline, delay or fail its requests, and record them.
///
/// Pass it to the service in place of the provider. Unless a switch is on or a recording is running, it passes all
/// requests to the provider unchanged, at the cost of two comparisons.
///
///     let service = Service(baseURL: "https://api.example.com", networking: InspectorNetwork())
///     let inspector = Inspector(service, permissions: .full)
///
/// Cookies, streaming and credentials work as without this object.
@MainActor
public final class InspectorNetwork: NetworkingProviderConvertible {
    private let source: any NetworkingProviderConvertible
    /// Made for the first service, because a network may keep the clock that is current then.
    private lazy var recorder = makeRecorder()

    /// Creates a network around a provider, a session or a session configuration.
    public init(around networking: any NetworkingProviderConvertible = DefaultNetworking()) {
        source = networking
    }

    private func makeRecorder() -> HARRecorder {
        let control = NetworkControl()
        let recorder = HARRecorder(
            around: InterceptedTransport(source.siestaNetworkingProvider.transport, by: control),
            maximumEntryCount: 2000, maximumSize: 32 << 20)
        control.recorder = recorder
        return recorder
    }

    /// The provider that the service uses.
    public var siestaNetworkingProvider: any NetworkingProvider { recorder.siestaNetworkingProvider }
}

/// The switches of one ``InspectorNetwork``, and the recorder of what the service receives, also from the switches.
@MainActor
final class NetworkControl: ExchangeInterceptor {
    var switches = NetworkSwitches()
    fileprivate(set) weak var recorder: HARRecorder?
    private var generator = SystemRandomNumberGenerator()

    nonisolated init() {}

    func decision(for request: URLRequest) -> ExchangeDecision {
        guard !switches.isOff else { return .pass }
        let origin = InspectorModel.origin(of: request.url?.absoluteString ?? "")
        return switches.decision(for: origin, random: Double.random(in: 0..<1, using: &generator))
    }
}
