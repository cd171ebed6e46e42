/// Stands for Foundation of Apple platforms, which contains the networking and the XML parser, and re-exports other
/// modules.
@_exported public import CoreFoundation
@_exported public import AppleDarwin
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import FoundationXML

/// On Linux, Dispatch has the option set but not the source.
public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}

extension DispatchSource {
    public struct MemoryPressureEvent: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let normal = MemoryPressureEvent(rawValue: 1)
        public static let warning = MemoryPressureEvent(rawValue: 2)
        public static let critical = MemoryPressureEvent(rawValue: 4)
    }

    /// Returns a source that never reports anything.
    public static func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure {
        guard let source = makeUserDataAddSource(queue: queue) as? DispatchSource else { fatalError() }
        return source
    }
}

extension DispatchSource: DispatchSourceMemoryPressure {}
