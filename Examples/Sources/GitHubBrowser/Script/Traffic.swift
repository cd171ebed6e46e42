import Siesta
import SiestaTesting

/// The way in which a ``Rig`` gets its responses.
enum Traffic {
    /// From a server, over the network.
    case network
    /// From a server, over the network, and they are recorded.
    case recorded(HARRecorder)
    /// From a recording. There is no server.
    case replayed(SessionReplay)

    /// The recording; nil if there is a server.
    @MainActor var replay: SessionReplay? {
        if case .replayed(let replay) = self { replay } else { nil }
    }

    /// The networking that sends the requests.
    @MainActor var networking: any NetworkingProviderConvertible {
        switch self {
        case .network: DefaultNetworking()
        case .recorded(let recorder): recorder
        case .replayed(let replay): replay
        }
    }
}
