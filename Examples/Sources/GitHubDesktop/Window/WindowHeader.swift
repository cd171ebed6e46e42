#if GTK
import CGTK
import GitHubClient
import Siesta
import SiestaGTK

/// The header bar: the way back, the search, the session, and the menu.
@MainActor
final class WindowHeader {
    let widget: WidgetPointer = gtk_header_bar_new()
    /// The button that opens the menu.
    let menuButton: WidgetPointer = gtk_menu_button_new()
    private let session = WidgetPointer.button(icon: "avatar-default-symbolic", name: "Sign in", action: "win.session")

    init(_ entry: WidgetPointer, isLive: Bool) {
        let bar = widget.object
        gtk_header_bar_pack_start(bar, .button(icon: "go-previous-symbolic", name: "Back", action: "win.back"))
        gtk_header_bar_set_title_widget(bar, entry)
        gtk_header_bar_set_decoration_layout(bar, ":close")  // Fits into a narrow window.
        gtk_widget_set_hexpand(entry, 1)
        gtk_editable_set_width_chars(entry.object, 6)
        gtk_editable_set_max_width_chars(entry.object, 40)
        gtk_header_bar_pack_end(bar, menuButton)
        gtk_header_bar_pack_end(bar, session)
        gtk_header_bar_pack_end(bar, .button(icon: "view-refresh-symbolic", name: "Reload", action: "win.reload"))
        gtk_menu_button_set_icon_name(menuButton.object, "open-menu-symbolic")
        menuButton.setName("Menu")
        let menu = WindowMenu.make(isLive: isLive)
        gtk_menu_button_set_menu_model(menuButton.object, menu.assumingMemoryBound(to: GMenuModel.self))
        g_object_unref(UnsafeMutableRawPointer(menu))
    }

    /// Shows the effect of the button for the session.
    func show(_ browser: BrowserModel) {
        session.setName(browser.api.principal == nil ? "Sign in" : "Sign out")
    }
}

/// The menu of the window.
enum WindowMenu {
    /// Returns a new menu, which the caller owns.
    @MainActor
    static func make(isLive: Bool) -> UnsafeMutableRawPointer {
        let menu = g_menu_new()
        append(menu, nil) { section in
            g_menu_append(section, "Forward", "win.forward")
            g_menu_append(section, "Starred Repositories", "win.stars")
            if !isLive { g_menu_append(section, "Watch the Repository Live", "win.watch") }
            g_menu_append(section, "Sign In or Out", "win.session")
            if !isLive { g_menu_append(section, "Sign In as Another User", "win.user") }
            if !isLive { g_menu_append(section, "Revoke the Tokens", "win.revoke") }
        }
        if !isLive {
            append(menu, "Server") { section in
                for mood in Backend.Mood.allCases {
                    g_menu_append(
                        section, mood.name.prefix(1).uppercased() + mood.name.dropFirst(), "win.mood::\(mood.name)")
                }
                g_menu_append(section, "Offline", "win.offline")
                g_menu_append(section, "Cut the Stream", "win.cut")
            }
        }
        append(menu, "Appearance") { section in
            g_menu_append(section, "Dark", "win.dark")
            g_menu_append(section, "High Contrast", "win.contrast")
        }
        append(menu, nil) { g_menu_append($0, "Quit", "win.quit") }
        return UnsafeMutableRawPointer(menu!)
    }

    private static func append(_ menu: OpaquePointer?, _ title: String?, _ fill: (OpaquePointer?) -> Void) {
        let section = g_menu_new()
        fill(section)
        g_menu_append_section(
            menu, title, section.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GMenuModel.self) })
        g_object_unref(UnsafeMutableRawPointer(section))
    }
}
#endif
