@_spi(Fakes) public import AppleFoundation

@MainActor
open class UIControl: UIView {
    open var isEnabled = true
    private var targets: [(target: WeakTarget, action: Selector, events: Event)] = []

    open func addTarget(_ target: Any?, action: Selector, for controlEvents: UIControl.Event) {
        targets.append((WeakTarget(target as AnyObject?), action, controlEvents))
    }

    open func sendActions(for controlEvents: UIControl.Event) {
        for entry in targets where !entry.events.isDisjoint(with: controlEvents) {
            if let target = entry.target.object { entry.action.perform(target, self) }
        }
    }

    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let touchUpInside = Event(rawValue: 1 << 6)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    }

    public struct State: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let normal: State = []
    }
}

/// A control does not retain its targets.
private struct WeakTarget {
    weak var object: AnyObject?
    init(_ object: AnyObject?) { self.object = object }
}

@MainActor
open class UIButton: UIControl {
    public convenience init(type buttonType: UIButton.ButtonType) { self.init(frame: .zero) }

    private var title: String?
    open func setTitle(_ title: String?, for state: UIControl.State) { self.title = title }
    open func title(for state: UIControl.State) -> String? { title }

    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system = 1
    }
}

@MainActor
open class UILabel: UIView {
    open var text: String?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var font: UIFont!
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var textColor: UIColor!
    open var textAlignment = NSTextAlignment.natural
    open var numberOfLines = 1
    open var adjustsFontForContentSizeCategory = false
}

public enum NSTextAlignment: Int, Sendable {
    case left = 0
    case center = 1
    case right = 2
    case justified = 3
    case natural = 4
}

@MainActor
open class UIImageView: UIView {
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    public init(image: UIImage?) {
        self.image = image
        super.init(frame: .zero)
    }

    public init(image: UIImage?, highlightedImage: UIImage?) {
        self.image = image
        super.init(frame: .zero)
    }

    open var image: UIImage?
}

@MainActor
open class UIActivityIndicatorView: UIView {
    public init(style: UIActivityIndicatorView.Style) { super.init(frame: .zero) }
    public required init(coder: NSCoder) { super.init(frame: .zero) }

    open private(set) var isAnimating = false
    open var hidesWhenStopped = true
    open func startAnimating() { isAnimating = true }
    open func stopAnimating() { isAnimating = false }

    public enum Style: Int, Sendable {
        case medium = 100
        case large = 101
    }
}

@MainActor
open class UIProgressView: UIView {
    open private(set) var progress: Float = 0
    open func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }
}
