/// Stands for the signposts of the module os of Apple platforms.
import Synchronization

public struct OSSignpostID: Hashable, Sendable {
    public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)

    public let rawValue: UInt64

    public init(_ value: UInt64) { rawValue = value }
}

/// On Apple platforms it may not be `Sendable`. Here it is not.
public final class OSSignpostIntervalState {
    fileprivate let id: OSSignpostID

    private init(id: OSSignpostID) { self.id = id }

    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id: id) }
}

public struct OSLogPrivacy: Sendable {
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
    public static var auto: OSLogPrivacy { OSLogPrivacy() }
}

/// The message of a signpost. Only a string literal can make it.
public struct SignpostMetadata: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text += literal }

        public mutating func appendInterpolation(
            _ argumentString: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
        ) {
            text += argumentString()
        }
    }

    fileprivate let text: String

    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    public init(stringLiteral value: String) { text = value }
}

public struct OSSignposter: Sendable {
    private let subsystem: String

    public init(subsystem: String, category: String) { self.subsystem = subsystem }

    public var isEnabled: Bool { EmittedSignpost.isRecording(subsystem) }

    public func makeSignpostID() -> OSSignpostID { EmittedSignpost.newID() }

    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
    ) -> OSSignpostIntervalState {
        EmittedSignpost(kind: .begin, name: "\(name)", id: id, text: message.text).keep(subsystem)
        return .beginState(id: id)
    }

    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {
        EmittedSignpost(kind: .end, name: "\(name)", id: state.id, text: message.text).keep(subsystem)
    }

    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {
        EmittedSignpost(kind: .event, name: "\(name)", id: id, text: message.text).keep(subsystem)
    }
}

/// A signpost that was emitted while a test recorded its subsystem.
@_spi(Fakes) public struct EmittedSignpost: Sendable {
    public enum Kind: Sendable { case begin, end, event }

    private struct Recordings {
        var lastID: UInt64 = 0
        var bySubsystem: [String: [EmittedSignpost]] = [:]
    }

    private static let recordings = Mutex(Recordings())

    public let kind: Kind
    public let name: String
    public let id: OSSignpostID
    public let text: String

    public static func record(_ subsystem: String) { recordings.withLock { $0.bySubsystem[subsystem] = [] } }

    public static func all(of subsystem: String) -> [EmittedSignpost] {
        recordings.withLock { $0.bySubsystem[subsystem] ?? [] }
    }

    fileprivate static func isRecording(_ subsystem: String) -> Bool {
        recordings.withLock { $0.bySubsystem[subsystem] != nil }
    }

    fileprivate static func newID() -> OSSignpostID {
        recordings.withLock {
            $0.lastID += 1
            return OSSignpostID($0.lastID)
        }
    }

    fileprivate func keep(_ subsystem: String) {
        Self.recordings.withLock { $0.bySubsystem[subsystem]?.append(self) }
    }
}
