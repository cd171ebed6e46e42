import Foundation
public import SiestaCore
import SiestaRecording

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A network with which the page of an inspector can take a service offline, delay its requests or make them fail, and
/// record them.
///
/// Pass this object to the service instead of the provider. While all switches of the page are off and no recording is
/// running, requests reach the provider unchanged, at the cost of two comparisons.
///
///     let service = Service(baseURL: "https://api.example.com", networking: InspectorNetwork())
///     let inspector = Inspector(service, permissions: .full)
///
/// Cookies, streaming and credentials work in the same way as without this object.
@MainActor
public final class InspectorNetwork: NetworkingProviderConvertible {
    private let source: any NetworkingProviderConvertible
    /// Made for the first service, because a network may keep the clock that is current then.
    private lazy var recorder = makeRecorder()

    /// Creates a network that sends requests through a provider, a `URLSession` or a `URLSessionConfiguration`.
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
