#if GTK
import CGTK
import Foundation
import SiestaCore
import SiestaGTK
import SiestaLive
import SiestaRetrying
import SiestaTesting
import SiestaUI
import Waiting

extension Check {
    static let status = [
        Check("A load covers the content, a failure tells its reason, and a click on Retry shows the content") {
            try await StatusScene.use { scene in
                let gate = StubGate()
                scene.network.answer(.get, "/a", with: .failure(.networkConnectionLost).after(gate), .text("data"))
                scene.resource.loadIfNeeded()
                try await Poll.until { scene.overlay.model.display.cover == .loading }
                try await scene.window.frames(2)
                try expectEqual(scene.texts, [])
                gate.open()
                try await Poll.until { scene.overlay.model.display.cover == .failure }
                try await scene.window.frames(3)
                let reason = scene.resource.latestError?.userMessage ?? ""
                try expectEqual(scene.texts, ["Could not load", reason, "Retry"])
                try await Screenshot.compare(scene.window, "failure")
                try await scene.window.click(scene.overlay.widget.button("Retry"))
                try await Poll.until { scene.overlay.model.display.isEmpty }
                try await scene.window.frames(2)
                try expectEqual(scene.texts, ["Content"])
                try await Screenshot.compare(scene.window, "content")
            }
        },
        Check("The keyboard moves to Retry, activates it, and moves back to the content") {
            try await StatusScene.use { scene in
                gtk_widget_grab_focus(scene.contentButton)
                scene.network.answer(.get, "/a", with: .failure(.timedOut), .failure(.timedOut), .text("data"))
                scene.resource.loadIfNeeded()
                for attempt in 1...2 {
                    try await Poll.until {
                        scene.network.requests.count == attempt && scene.overlay.model.display.cover == .failure
                    }
                    try await scene.window.frames(3)
                    try expectEqual(scene.window.focus, try scene.overlay.widget.button("Retry"))
                    try await scene.window.press("Return")
                    try await Poll.until { scene.network.requests.count == attempt + 1 }
                }
                try await Poll.until { scene.overlay.model.display.isEmpty }
                try await scene.window.frames(3)
                try expectEqual(scene.window.focus, scene.contentButton)
                try await scene.window.press("Return")
                try await Poll.until { scene.clicks == 1 }
            }
        },
        Check("Content under a cover gets neither clicks nor the focus, and the cover traps no focus") {
            try await StatusScene.use { scene in
                await scene.fail(.timedOut)
                try await scene.window.frames(3)
                try await scene.window.click(scene.contentButton)
                var focused: Set<String> = []
                for _ in 0..<6 {
                    try await scene.window.press("Tab")
                    try await scene.window.frames(2)
                    let focus = scene.window.focus
                    focused.insert(
                        focus == scene.contentButton ? "content" : scene.isOutside(focus) ? "outside" : "retry")
                }
                try expectEqual(focused, ["outside", "retry"])
                try expectEqual(scene.clicks, 0)
            }
        },
        Check("A widget outside keeps the focus when a failure appears") {
            try await StatusScene.use { scene in
                gtk_widget_grab_focus(scene.outside)
                await scene.fail(.timedOut)
                try await scene.window.frames(3)
                try expect(scene.isOutside(scene.window.focus))
                await scene.succeed()
                try await scene.window.frames(3)
                try expect(scene.isOutside(scene.window.focus))
            }
        },
        Check("Without a network, the words say so") {
            try await StatusScene.use { scene in
                await scene.fail(.notConnectedToInternet)
                try await scene.window.frames(3)
                try expectEqual(scene.texts, ["No network connection", "Retry"])
                try await Screenshot.compare(scene.window, "offline")
            }
        },
        Check("Over data, a failure is a banner, whose button loads again") {
            try await StatusScene.use(.dataFirst) { scene in
                await scene.succeed()
                await scene.fail(.timedOut)
                try await scene.window.frames(3)
                let reason = scene.resource.latestError?.userMessage ?? ""
                try expectEqual(scene.texts, ["Content", "Could not load", reason, "Retry"])
                try await Screenshot.compare(scene.window, "banner")
                try await scene.window.click(scene.contentButton)
                try await Poll.until { scene.clicks == 1 }
                scene.network.answer(.get, "/a", with: .text("new"))
                try await scene.window.click(scene.overlay.widget.button("Retry"))
                try await Poll.until { scene.overlay.model.display.isEmpty }
                try await scene.window.frames(3)
                try expectEqual(scene.texts, ["Content"])
            }
        },
        Check("A wait counts down each second, and Retry ends it") {
            try await StatusScene.use { scene in
                scene.service.configure {
                    $0.retry = .standard
                    $0.retry.decide = { _ in .retry(after: 30) }
                }
                scene.network.answer(.get, "/a", with: .failure(.timedOut), .text("data"))
                scene.resource.load()
                var countdowns: Set<String> = []
                try await Poll.until {
                    if let text = scene.texts.first(where: { $0.hasPrefix("in ") }) { countdowns.insert(text) }
                    return countdowns.count == 3
                }
                report("\(countdowns.sorted())")
                try await scene.window.click(scene.overlay.widget.button("Retry"))
                try await Poll.until { scene.overlay.model.display.isEmpty }
            }
        },
        Check("Data that follows the server has a quiet line, which takes no clicks") {
            try await StatusScene.use(.dataFirst) { scene in
                scene.service.configure { $0.live = .eventSource("/events") { event, _ in .replace(event.data) } }
                scene.network.answer(.get, "/events", with: .stream())
                await scene.succeed()
                try await Poll.until { scene.label("Live") != nil }
                try expectEqual(scene.label("Live").map(gtk_widget_get_can_target), 0)
                try expectEqual(scene.texts, ["Content"])
                scene.network.exchanges.first { $0.isStreaming }?.fail(.networkConnectionLost)
                try await Poll.until { scene.label("Reconnecting") != nil }
                try await Poll.until { scene.label("Live") != nil }
            }
        },
        Check("Screen readers get roles and names") {
            try await StatusScene.use { scene in
                await scene.fail(.timedOut)
                let alerts = scene.overlay.widget.visibleDescendants.filter {
                    gtk_accessible_get_accessible_role(OpaquePointer($0)) == GTK_ACCESSIBLE_ROLE_ALERT
                }
                try expectEqual(alerts.count, 1)
                try expect(cgtk_has_accessible_label(alerts[0], "Could not load"))
                try expect(!cgtk_has_accessible_label(alerts[0], "Something else"))
            }
        },
        Check("A failure is readable in the dark theme and with high contrast") {
            defer { cgtk_use_theme("Adwaita", false) }
            for (name, theme, isDark) in [
                ("failure-dark", "Adwaita", true), ("failure-contrast", "HighContrast", false),
                ("failure-contrast-dark", "HighContrast", true),
            ] {
                cgtk_use_theme(theme, isDark)
                try await StatusScene.use(.dataFirst) { scene in
                    await scene.fail(.timedOut)
                    try await scene.window.frames(3)
                    try await Screenshot.compare(scene.window, name)
                    await scene.succeed()
                    await scene.fail(.timedOut)
                    try await scene.window.frames(3)
                    try await Screenshot.compare(scene.window, name.replacing("failure", with: "banner"))
                }
            }
        },
        Check("A destroyed overlay releases its model, which then observes nothing") {
            let service = Service(baseURL: "https://api.test", networking: StubNetwork())
            weak var model: StatusOverlayModel?
            do {
                let window = TestWindow(child: StatusOverlay(over: gtk_label_new("a")).widget)
                let overlay = StatusOverlay(over: gtk_label_new("a"))
                model = overlay.model
                overlay.model.add(service.resource("/a"))
                gtk_window_set_child(window.window, overlay.widget)
                try await window.present()
                try expect(model != nil)
                window.close()
                withExtendedLifetime(overlay) {}
            }
            try await Poll.until { model == nil }
        },
    ]
}

/// A window with a button, and an overlay over another button.
@MainActor private final class StatusScene {
    let network = StubNetwork()
    let service: Service
    let window: TestWindow
    let overlay: StatusOverlay
    let contentButton: WidgetPointer = gtk_button_new_with_label("Content")
    let outside: WidgetPointer = gtk_entry_new()
    private(set) var clicks = 0

    var resource: Resource { service.resource("/a") }
    var texts: [String] { overlay.widget.visibleTexts }

    /// The visible label with a text, also if clicks go through it.
    func label(_ text: String) -> WidgetPointer? {
        overlay.widget.visibleDescendants.first {
            cgtk_is_a($0, gtk_label_get_type()) && String(cString: gtk_label_get_text(OpaquePointer($0))) == text
        }
    }

    /// Runs a check, closes the window, and expects that nothing keeps the overlay.
    static func use(
        _ priority: [StateRule] = .standard, _ check: @MainActor (StatusScene) async throws -> Void
    ) async throws {
        weak var overlay: StatusOverlay?
        do {
            let scene = try await StatusScene(priority)
            overlay = scene.overlay
            defer { scene.window.close() }
            try await check(scene)
        }
        try await Poll.until { overlay == nil }
    }

    private init(_ priority: [StateRule]) async throws {
        service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        service.configure { $0.retry = .none }
        let content: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_widget_set_valign(contentButton, GTK_ALIGN_CENTER)
        gtk_widget_set_vexpand(contentButton, 1)
        gtk_box_append(UnsafeMutablePointer(OpaquePointer(content)), contentButton)
        overlay = StatusOverlay(over: content, displayPriority: priority)
        (overlay.model.loadingDelay, overlay.model.minimumLoadingTime) = (0, 0)
        let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        for child in [outside, overlay.widget] { gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), child) }
        gtk_widget_set_vexpand(overlay.widget, 1)
        window = TestWindow(child: box)
        overlay.model.add(resource)
        SignalConnection.connect(contentButton, "clicked") { [weak self] _ in self?.clicks += 1 }
        try await window.present()
    }

    /// True if the widget is the entry outside of the overlay, or the text field inside it.
    func isOutside(_ widget: WidgetPointer?) -> Bool {
        widget.map { $0 == outside || gtk_widget_is_ancestor($0, outside) != 0 } ?? false
    }

    func succeed() async {
        network.answer(.get, "/a", with: .text("data"))
        await resource.load().completion()
    }

    func fail(_ code: URLError.Code) async {
        network.answer(.get, "/a", with: .failure(code))
        await resource.load().completion()
    }
}
#endif
