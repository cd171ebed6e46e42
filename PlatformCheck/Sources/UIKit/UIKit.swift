/// Stands for the framework UIKit of Apple platforms: a tree of views that behaves, without a screen.
///
/// Members for tests only are in the SPI group `Fakes`, so that the sources of the package cannot use them.
@_exported public import AppleFoundation
@_exported public import CoreGraphics
@_exported public import QuartzCore

/// On Apple platforms a subclass of `NSObject`. On Linux, the initialiser of that class is not isolated to the main actor,
/// and therefore cannot be overridden as on Apple platforms.
@MainActor
open class UIResponder {
    public init() {}
}

extension UIResponder: nonisolated Hashable {
    public nonisolated static func == (left: UIResponder, right: UIResponder) -> Bool { left === right }
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The image type of iOS, tvOS, watchOS and visionOS. The SDK declares it as `Sendable`.
open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) { cgImage = nil }
    public init(cgImage: CGImage) { self.cgImage = cgImage }

    open var size: CGSize { CGSize(width: cgImage?.width ?? 0, height: cgImage?.height ?? 0) }
    open private(set) var cgImage: CGImage?
}

open class UIColor: NSObject, @unchecked Sendable {
    open class var label: UIColor { named("label") }
    open class var secondaryLabel: UIColor { named("secondaryLabel") }
    open class var clear: UIColor { named("clear") }

    /// The name of the colour.
    @_spi(Fakes) public var name = ""

    private static func named(_ name: String) -> UIColor {
        let color = UIColor()
        color.name = name
        return color
    }
}

open class UIFont: NSObject, @unchecked Sendable {
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let headline = TextStyle(rawValue: "headline")
        public static let body = TextStyle(rawValue: "body")
        public static let subheadline = TextStyle(rawValue: "subheadline")
    }

    open class func preferredFont(forTextStyle style: UIFont.TextStyle) -> UIFont { UIFont() }
}

open class UITraitCollection: NSObject, @unchecked Sendable {
    open var displayScale: CGFloat { 2 }
}

/// The nibs that tests have registered stand for files.
@MainActor
open class UINib: NSObject {
    private let name: String

    public init(nibName name: String, bundle bundleOrNil: Bundle?) {
        self.name = name
        super.init()
    }

    open func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [UINib.OptionsKey: Any]? = nil) -> [Any] {
        guard let layout = UINib.layouts[name] else { fatalError("There is no nib with this name: \(name)") }
        return layout(ownerOrNil)
    }

    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The closures that instantiate nibs: they connect the outlets of the owner, and return the top-level objects.
    @_spi(Fakes) public static var layouts: [String: (Any?) -> [Any]] = [:]
}

@MainActor
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    public required init?(coder: NSCoder) {}
    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! = UIView()
}

public enum UIAccessibility {
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let announcement = Notification(rawValue: 1008)
    }

    @MainActor
    public static func post(notification: UIAccessibility.Notification, argument: Any?) {
        posted.append((notification, argument))
    }

    /// The notifications that were posted.
    @_spi(Fakes) @MainActor public static var posted: [(notification: Notification, argument: Any?)] = []
}
