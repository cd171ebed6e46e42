#if canImport(AppKit) && !canImport(UIKit)
public import AppKit

/// A progress bar for the loads of resources. The bar is hidden while nothing is being loaded.
///
///     bar.model.follow(repositories)
///
/// Until the progress can be estimated, the bar is indeterminate. A ``ProgressModel`` decides what the bar shows.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
open class ResourceProgressBar: NSProgressIndicator {
    /// The model that decides what the bar shows. To choose the requests that the bar shows, call `follow(_:)` or
    /// `track(_:)` on the model.
    public let model = ProgressModel()

    /// Creates a hidden bar.
    public override init(frame frameRect: NSRect) {
        super.init(frame: frameRect)
        connect()
    }

    /// Creates a bar from a nib or a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        connect()
    }

    private func connect() {
        isHidden = true
        (style, minValue, maxValue) = (.bar, 0, 1)
        model.onChange = { [weak self] in self?.update() }
    }

    private func update() {
        isHidden = !model.isActive
        isIndeterminate = model.fraction == nil
        doubleValue = model.fraction ?? 0
        model.isActive && isIndeterminate ? startAnimation(nil) : stopAnimation(nil)
    }
}
#endif
