#if GTK
import CGTK

/// The colours of the app. At the start, they follow the settings of the desktop.
@MainActor
enum Appearance {
    /// True for bright texts on a dark ground.
    static var isDark: Bool {
        get { settings.map { Property.isTrue("gtk-application-prefer-dark-theme", of: $0) } ?? false }
        set { settings.map { Property.set("gtk-application-prefer-dark-theme", of: $0, to: newValue) } }
    }

    /// True for the high-contrast variant of the theme of GTK.
    static var hasHighContrast: Bool {
        get { theme.hasSuffix("-hc") || theme.hasPrefix("HighContrast") }
        set {
            if newValue, !hasHighContrast { themeBefore = theme }
            settings.map { Property.set("gtk-theme-name", of: $0, to: newValue ? "Default-hc" : themeBefore) }
        }
    }

    private static var themeBefore = "Default"

    private static var theme: String { settings.map { Property.text("gtk-theme-name", of: $0) } ?? "" }

    private static var settings: UnsafeMutableRawPointer? {
        gtk_settings_get_default().map { UnsafeMutableRawPointer($0) }
    }
}
#endif
