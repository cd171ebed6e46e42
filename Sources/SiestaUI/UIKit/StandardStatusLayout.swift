#if canImport(UIKit) && !os(watchOS)
import UIKit

/// The standard layout of an overlay: an indicator and a message with a button, in the centre.
@MainActor
enum StandardStatusLayout {
    static func fill(_ overlay: ResourceStatusOverlay) {
        let container = UIView(frame: overlay.bounds)
        container.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        overlay.addSubview(container)
        overlay.containerView = container
        addIndicator(to: container, of: overlay)
        addMessage(to: container, of: overlay)
    }

    private static func addIndicator(to container: UIView, of overlay: ResourceStatusOverlay) {
        let indicator = UIActivityIndicatorView(style: .large)
        indicator.hidesWhenStopped = false
        indicator.startAnimating()
        indicator.isAccessibilityElement = true
        indicator.accessibilityLabel = overlay.model.words.loading
        centre(indicator, in: container)
        overlay.loadingIndicator = indicator
    }

    private static func addMessage(to container: UIView, of overlay: ResourceStatusOverlay) {
        let headline = label(.headline, .label)
        let detail = label(.subheadline, .secondaryLabel)
        let button = UIButton(type: .system)
        let stack = UIStackView(arrangedSubviews: [headline, detail, button])
        (stack.axis, stack.alignment, stack.spacing) = (.vertical, .center, 8)
        centre(stack, in: container)
        (overlay.errorView, overlay.errorHeadline, overlay.errorDetail) = (stack, headline, detail)
        overlay.retryButton = button
    }

    private static func label(_ style: UIFont.TextStyle, _ color: UIColor) -> UILabel {
        let label = UILabel()
        label.font = UIFont.preferredFont(forTextStyle: style)
        label.adjustsFontForContentSizeCategory = true
        (label.textColor, label.textAlignment, label.numberOfLines) = (color, .center, 0)
        return label
    }

    private static func centre(_ view: UIView, in container: UIView) {
        view.translatesAutoresizingMaskIntoConstraints = false
        container.addSubview(view)
        NSLayoutConstraint.activate([
            view.centerXAnchor.constraint(equalTo: container.centerXAnchor),
            view.centerYAnchor.constraint(equalTo: container.centerYAnchor),
            view.leadingAnchor.constraint(greaterThanOrEqualTo: container.leadingAnchor, constant: 16),
            view.trailingAnchor.constraint(lessThanOrEqualTo: container.trailingAnchor, constant: -16),
        ])
    }
}
#endif
