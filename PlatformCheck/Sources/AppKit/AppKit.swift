/// Stands for the framework AppKit of macOS: a tree of views that behaves, without a screen.
///
/// Members for tests only are in the SPI group `Fakes`, so that the sources of the package cannot use them.
@_exported @_spi(Fakes) public import AppleFoundation
@_exported @_spi(Fakes) public import CoreGraphics
@_exported public import QuartzCore

/// On macOS a subclass of `NSObject`. On Linux, the initialiser of that class is not isolated to the main actor, and
/// therefore cannot be overridden as on macOS.
@MainActor
open class NSResponder {
    public init() {}
    public required init?(coder: NSCoder) {}
}

extension NSResponder: nonisolated Hashable {
    public nonisolated static func == (left: NSResponder, right: NSResponder) -> Bool { left === right }
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The image type of macOS. The check does not rely on it being `Sendable`.
open class NSImage: NSObject {
    public init?(data: Data) { nil }

    public init(cgImage: CGImage, size: NSSize) {
        self.size = size
        image = cgImage
    }

    open var size: NSSize = .zero
    private var image: CGImage?

    /// The image from which this one was made.
    @_spi(Fakes) public var underlying: CGImage? { image }
}

open class NSColor: NSObject, @unchecked Sendable {
    open class var labelColor: NSColor { NSColor() }
    open class var secondaryLabelColor: NSColor { NSColor() }
    open class var windowBackgroundColor: NSColor { NSColor() }
    open func setFill() {}
}

open class NSBezierPath: NSObject {
    open class func fill(_ rect: NSRect) {}
}

open class NSFont: NSObject, @unchecked Sendable {
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let headline = TextStyle(rawValue: "headline")
        public static let body = TextStyle(rawValue: "body")
        public static let subheadline = TextStyle(rawValue: "subheadline")
    }

    public struct TextStyleOptionKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    open class func preferredFont(
        forTextStyle style: NSFont.TextStyle, options: [NSFont.TextStyleOptionKey: Any] = [:]
    ) -> NSFont { NSFont() }
}

/// The nibs that tests have registered stand for files.
open class NSNib: NSObject {
    public typealias Name = String

    private let name: String

    public init?(nibNamed nibName: NSNib.Name, bundle: Bundle?) {
        name = nibName
        super.init()
    }

    /// On macOS, the pointer is an `AutoreleasingUnsafeMutablePointer`, which does not exist on Linux.
    @MainActor
    open func instantiate(withOwner owner: Any?, topLevelObjects: UnsafeMutablePointer<NSArray?>?) -> Bool {
        guard let layout = NSNib.layouts[name] else { return false }
        topLevelObjects?.pointee = NSArray(array: layout(owner))
        return true
    }

    /// The closures that instantiate nibs: they connect the outlets of the owner, and return the top-level objects.
    @_spi(Fakes) @MainActor public static var layouts: [NSNib.Name: (Any?) -> [Any]] = [:]
}

@MainActor
open class NSViewController: NSResponder {
    public init(nibName nibNameOrNil: NSNib.Name?, bundle nibBundleOrNil: Bundle?) { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    open var view = NSView()
}

public enum NSAccessibility {
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let announcementRequested = Notification(rawValue: "AXAnnouncementRequested")
    }

    public struct NotificationUserInfoKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let announcement = NotificationUserInfoKey(rawValue: "AXAnnouncementKey")
    }

    @MainActor
    public static func post(
        element: Any, notification: NSAccessibility.Notification,
        userInfo: [NSAccessibility.NotificationUserInfoKey: Any]?
    ) {
        posted.append((notification, userInfo?[.announcement] as? String))
    }

    /// The notifications that were posted.
    @_spi(Fakes) @MainActor public static var posted: [(notification: Notification, announcement: String?)] = []
}

/// The stand-in finishes each animation at once.
@MainActor
open class NSAnimationContext: NSObject {
    open class func runAnimationGroup(
        _ changes: (NSAnimationContext) -> Void, completionHandler: (() -> Void)? = nil
    ) {
        let context = NSAnimationContext()
        changes(context)
        animations.append(context.duration)
        completionHandler?()
    }

    open var duration: TimeInterval = 0.25

    /// The durations of the animations, in seconds.
    @_spi(Fakes) public static var animations: [TimeInterval] = []
}
