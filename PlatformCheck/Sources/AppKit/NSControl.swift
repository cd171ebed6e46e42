@_spi(Fakes) public import AppleFoundation

@MainActor
open class NSControl: NSView {
    open weak var target: AnyObject?
    open var action: Selector?
    open var isEnabled = true
    open var stringValue = ""
    open var doubleValue: Double = 0
    open var font: NSFont?
    open var alignment = NSTextAlignment.natural

    open func performClick(_ sender: Any?) {
        guard isEnabled, let target, let action else { return }
        action.perform(target, self)
    }
}

@MainActor
open class NSButton: NSControl {
    public convenience init(title: String, target: Any?, action: Selector?) {
        self.init(frame: .zero)
        (self.title, self.target, self.action) = (title, target as AnyObject?, action)
    }

    open var title = ""
}

@MainActor
open class NSTextField: NSControl {
    public convenience init(labelWithString stringValue: String) {
        self.init(frame: .zero)
        self.stringValue = stringValue
    }

    public convenience init(wrappingLabelWithString stringValue: String) {
        self.init(frame: .zero)
        self.stringValue = stringValue
    }

    open var textColor: NSColor?
}

public enum NSTextAlignment: Int, Sendable {
    case left = 0
    case center = 1
    case right = 2
    case justified = 3
    case natural = 4
}

@MainActor
open class NSImageView: NSControl {
    public convenience init(image: NSImage) {
        self.init(frame: .zero)
        self.image = image
    }

    open var image: NSImage?
}

@MainActor
open class NSProgressIndicator: NSView {
    open var style = NSProgressIndicator.Style.bar
    open var isIndeterminate = true
    open var isDisplayedWhenStopped = true
    open var minValue: Double = 0
    open var maxValue: Double = 100
    open var doubleValue: Double = 0

    open func startAnimation(_ sender: Any?) { isAnimating = true }
    open func stopAnimation(_ sender: Any?) { isAnimating = false }

    /// True from `startAnimation` to `stopAnimation`.
    @_spi(Fakes) public private(set) var isAnimating = false

    public enum Style: UInt, Sendable {
        case bar = 0
        case spinning = 1
    }
}
