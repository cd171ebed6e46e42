#if GTK
import CGTK
import EmbeddedGitHub
import GitHubClient
import Siesta
import SiestaGTK

/// Sizes and colours of the window, and the end.
extension DesktopScript {
    func playAppearance() async {
        await step("From narrow to wide: nothing is cut off") {
            window.browser.open(.account("elodie-varga"))
            try await untilShown("Élodie Varga")
            try await untilIdle()
            for (width, height) in [(400, 480), (1_000, 700), (720, 640)] {
                try await person.resize("GitHub", width: width, height: height)
                try await until("a page of \(width) pixels") {
                    (width - 30...width).contains(Int(gtk_widget_get_width(window.page.widget)))
                }
                try await until("no text beyond the edge") {
                    window.textEdge <= width
                }
                try await photograph("width-\(width)")
            }
        }
        await step("Dark, and with a high contrast") {
            try await choose("Dark")
            try await until("bright texts") { window.textBrightness > 0.8 }
            try await photograph("dark")
            try await choose("Dark")
            try await until("dark texts") { window.textBrightness < 0.3 }
            let before = window.textBrightness
            try await choose("High Contrast")
            try await until("darker texts") { window.textBrightness < before }
            try await photograph("contrast")
            try await choose("High Contrast")
            try await until("the texts as before") { window.textBrightness == before }
        }
        await step("The rate limit is used up: the banner says until when") {
            try await choose("Rate limit")
            try await person.press("F5")
            try await checkWords("The rate limit is used up until")
        }
        await step("Quit by a key: the window closes") {
            window.focusPage()
            try await person.press("Down", "ctrl+q")
            try await until("a closed window") { window.isClosed }
        }
    }
}

extension DesktopWindow {
    /// The brightness of the texts of the page, from 0 to 1.
    fileprivate var textBrightness: Double {
        var color = GdkRGBA()
        gtk_style_context_get_color(gtk_widget_get_style_context(page.widget), &color)
        return Double(color.red + color.green + color.blue) / 3
    }

    /// The right edge of the text that reaches furthest, in pixels of the window.
    fileprivate var textEdge: Int {
        let edges = page.widget.visibleDescendants.filter { $0.labelText?.isEmpty == false }.map { label in
            var (place, result) = (graphene_point_t(), graphene_point_t())
            place.x = Float(gtk_widget_get_width(label))
            return gtk_widget_compute_point(label, widget, &place, &result) != 0 ? Int(result.x) : 0
        }
        return edges.max() ?? 0
    }
}
#endif
