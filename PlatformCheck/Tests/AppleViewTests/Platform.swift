// The names of both toolkits, so that each test runs with UIKit and with AppKit.
import Foundation
import Siesta
import SiestaUI

#if canImport(UIKit)
@_spi(Fakes) import CoreGraphics
@_spi(Fakes) import UIKit

typealias SystemView = UIView
typealias SystemController = UIViewController
typealias SystemLabel = UILabel
typealias SystemButton = UIButton
typealias SystemImage = UIImage

extension UIView {
    func layOut() { layoutIfNeeded() }
    var opacity: CGFloat { alpha }
}

extension UILabel {
    var words: String { text ?? "" }
}

extension UIButton {
    var words: String { title(for: .normal) ?? "" }
    func press() { sendActions(for: .primaryActionTriggered) }
}

extension UIProgressView {
    var shownFraction: Double { Double(progress) }
}

extension UIImage {
    convenience init(width: Int, height: Int) { self.init(cgImage: CGImage(width: width, height: height)) }
}

@MainActor
enum Screen {
    static var animations: [TimeInterval] { UIView.animations }
    static var announcements: [String] { UIAccessibility.posted.compactMap { $0.argument as? String } }

    /// Returns a window that shows the view.
    static func show(_ view: UIView) -> UIWindow {
        let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 300))
        window.addSubview(view)
        return window
    }

    static func register(nib name: String, _ layout: @escaping (Any?) -> [Any]) { UINib.layouts[name] = layout }
}
#else
@_spi(Fakes) import AppKit
@_spi(Fakes) import CoreGraphics

typealias SystemView = NSView
typealias SystemController = NSViewController
typealias SystemLabel = NSTextField
typealias SystemButton = NSButton
typealias SystemImage = NSImage

extension NSView {
    func layOut() { layoutSubtreeIfNeeded() }
    var opacity: CGFloat { alphaValue }
}

extension NSTextField {
    var words: String { stringValue }
}

extension NSButton {
    var words: String { title }
    func press() { performClick(nil) }
}

extension NSProgressIndicator {
    var shownFraction: Double { doubleValue }
}

extension NSImage {
    convenience init(width: Int, height: Int) {
        self.init(cgImage: CGImage(width: width, height: height), size: CGSize(width: width, height: height))
    }
}

@MainActor
enum Screen {
    static var animations: [TimeInterval] { NSAnimationContext.animations }
    static var announcements: [String] { NSAccessibility.posted.compactMap(\.announcement) }

    /// Returns a window that shows the view.
    static func show(_ view: NSView) -> NSWindow {
        let window = NSWindow()
        let content = NSView(frame: CGRect(x: 0, y: 0, width: 400, height: 300))
        content.addSubview(view)
        window.contentView = content
        return window
    }

    static func register(nib name: String, _ layout: @escaping (Any?) -> [Any]) { NSNib.layouts[name] = layout }
}
#endif
