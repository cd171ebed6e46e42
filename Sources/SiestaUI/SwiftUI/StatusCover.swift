#if canImport(SwiftUI)
public import SwiftUI

/// The standard layout of a ``StatusDisplay``: an activity indicator, a message with a button, or a banner at the
/// bottom. The line about live updates also appears at the bottom.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
public struct StatusCover: View {
    private let display: StatusDisplay
    private let words: StatusWords
    private let retry: @MainActor () -> Void

    /// Creates the layout for a display. `retry` is called when the user presses the button.
    public init(_ display: StatusDisplay, words: StatusWords = .current, retry: @escaping @MainActor () -> Void) {
        (self.display, self.words, self.retry) = (display, words, retry)
    }

    /// The view that shows ``display``.
    public var body: some View {
        VStack(spacing: 8) {
            if display.cover == .loading {
                ProgressView().accessibilityLabel(Text(verbatim: words.loading))
            }
            if let message = display.message {
                MessageText(message: message)
                if let title = message.retryTitle { Button(title, action: retry) }
            }
            if let live = display.live { Text(verbatim: live.text).font(.subheadline) }
        }
        .multilineTextAlignment(.center)
        .padding(16)
        .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: display.cover == .none ? .bottom : .center)
    }
}

/// The texts of a message. A screen reader reads them as one.
struct MessageText: View {
    let message: StatusMessage

    var body: some View {
        VStack(spacing: 4) {
            Text(verbatim: message.heading).font(.headline)
            if !message.detail.isEmpty { Text(verbatim: message.detail).font(.subheadline) }
            if !message.countdown.isEmpty { Text(verbatim: message.countdown).font(.subheadline) }
        }
        .accessibilityElement(children: .combine)
    }
}
#endif
