#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// A progress bar for the loads of resources. The bar is hidden while nothing is being loaded.
///
///     bar.model.follow(repositories)
///
/// Until the progress can be estimated, the bar is empty. A ``ProgressModel`` decides what the bar shows.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
open class ResourceProgressBar: UIProgressView {
    /// The model that decides what the bar shows. To choose the requests that the bar shows, call `follow(_:)` or
    /// `track(_:)` on the model.
    public let model = ProgressModel()

    /// Creates a hidden bar.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        connect()
    }

    /// Creates a bar from a nib or a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        connect()
    }

    private func connect() {
        isHidden = true
        model.onChange = { [weak self] in self?.update() }
    }

    private func update() {
        isHidden = !model.isActive
        // The model already moves smoothly.
        setProgress(Float(model.fraction ?? 0), animated: false)
    }
}
#endif
