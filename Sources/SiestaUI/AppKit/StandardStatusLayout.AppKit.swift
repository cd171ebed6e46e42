#if canImport(AppKit) && !canImport(UIKit)
import AppKit

/// The standard layout of an overlay: an indicator and a message with a button, in the centre.
@MainActor
enum StandardStatusLayout {
    static func fill(_ overlay: ResourceStatusOverlay) {
        let container = NSView(frame: overlay.bounds)
        container.autoresizingMask = [.width, .height]
        overlay.addSubview(container)
        overlay.containerView = container
        addIndicator(to: container, of: overlay)
        addMessage(to: container, of: overlay)
    }

    private static func addIndicator(to container: NSView, of overlay: ResourceStatusOverlay) {
        let indicator = NSProgressIndicator()
        indicator.style = .spinning
        indicator.startAnimation(nil)
        indicator.setAccessibilityLabel(overlay.model.words.loading)
        centre(indicator, in: container)
        overlay.loadingIndicator = indicator
    }

    private static func addMessage(to container: NSView, of overlay: ResourceStatusOverlay) {
        let headline = label(.headline, .labelColor)
        let detail = label(.subheadline, .secondaryLabelColor)
        let button = NSButton(title: overlay.model.words.retry, target: nil, action: nil)
        let stack = NSStackView(views: [headline, detail, button])
        (stack.orientation, stack.alignment, stack.spacing) = (.vertical, .centerX, 8)
        centre(stack, in: container)
        (overlay.errorView, overlay.errorHeadline, overlay.errorDetail) = (stack, headline, detail)
        overlay.retryButton = button
    }

    private static func label(_ style: NSFont.TextStyle, _ color: NSColor) -> NSTextField {
        let label = NSTextField(wrappingLabelWithString: "")
        label.font = NSFont.preferredFont(forTextStyle: style)
        (label.textColor, label.alignment) = (color, .center)
        return label
    }

    private static func centre(_ view: NSView, in container: NSView) {
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
