#if GTK
import CGTK
import Foundation
import SiestaCore
import SiestaGTK
import SiestaLists
import SiestaTesting
import SiestaUI
import Waiting

// The samples of the documentation of SiestaGTK. `.ci/snippets` compares them.
extension Check {
    static let samples = [
        Check("The sample of the module shows the status of a profile") {
            let network = StubNetwork()
            let content: WidgetPointer = gtk_label_new("Ada")
            let profile = Service(baseURL: "https://api.test", networking: network).resource("/profile")
            network.answer(.get, "/profile", with: .text("Ada"))
            gtk_init()
            MainActorBridge.attach()
            let window = gtk_window_new()!
            let status = StatusOverlay(over: content, displayPriority: .dataFirst)
            status.model.add(profile)
            profile.loadIfNeeded()
            gtk_window_set_child(window.cast(), status.widget)
            gtk_window_present(window.cast())
            try await Poll.until { profile.latestData != nil && status.model.display.isEmpty }
            gtk_window_destroy(window.cast())
        },
        Check("The sample of an overlay covers a list until its resource has data") {
            let (network, listWindow) = (StubNetwork(), TestWindow())
            let (listView, window): (WidgetPointer, WidgetPointer) = (gtk_label_new("List"), listWindow.widget)
            let repositories = Service(baseURL: "https://api.test", networking: network).resource("/repositories")
            network.answer(.get, "/repositories", with: .failure(.timedOut))
            let overlay = StatusOverlay(over: listView, displayPriority: .dataFirst)
            overlay.model.add(repositories)
            repositories.loadIfNeeded()
            gtk_window_set_child(window.cast(), overlay.widget)
            try await listWindow.present()
            try await Poll.until { overlay.model.display.cover == .failure }
            let model: StatusOverlayModel? = overlay.model
            let button = gtk_button_new_with_label("Retry")!
            SignalConnection.connect(button, "clicked") { [weak model] _ in model?.retry() }
            network.answer(.get, "/repositories", with: .text("[]"))
            let reference = ObjectReference(button)
            cgtk_emit(button, "clicked")
            withExtendedLifetime(reference) {}
            try await Poll.until { overlay.model.display.isEmpty }
            listWindow.close()
        },
        Check("A loop that a signal handler starts runs the jobs of the main actor") {
            let button = ObjectReference(gtk_button_new_with_label("Run"))
            var isDone = false
            SignalConnection.connect(button.pointer, "clicked") { _ in
                MainActorBridge.attach()
                let loop = g_main_loop_new(nil, 0)
                Task {  // sample.hidden
                    await Moment.after(.milliseconds(5))  // sample.hidden
                    isDone = true  // sample.hidden
                    g_main_loop_quit(loop)  // sample.hidden
                }  // sample.hidden
                g_main_loop_run(loop)
                g_main_loop_unref(loop)
            }
            // This code is a job, so a source of GLib's own must emit the signal.
            let click: GSourceFunc = { button in
                cgtk_emit(button, "clicked")
                return cgtk_source_remove
            }
            g_idle_add(click, button.pointer)
            try await Poll.until { isDone }
            withExtendedLifetime(button) {}
        },
        Check("The samples of a progress bar and of an image load") {
            let (network, window) = (StubNetwork(), TestWindow())
            let service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
            let repositories = service.resource("/repositories")
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
            let row = box
            gtk_window_set_child(window.window, box)
            let bar = ResourceProgressBar(ProgressModel(following: repositories))
            gtk_box_append(box.cast(), bar.widget)
            try await window.present()
            try await showAvatar(service, network, row)
            withExtendedLifetime(bar) {}
            window.close()
        },
        Check("The sample of a list opens the repository that a person activates") {
            let (network, listWindow) = (StubNetwork(), TestWindow())
            let window = listWindow.widget
            let service = Service(baseURL: "https://api.test", networking: network)
            service.decode("/repositories", as: [SampleRepository].self)
            network.answer(.get, "/repositories", with: .json(#"[{"id": 1, "name": "siesta"}]"#))
            let repositories = PagedResource(
                service.resource("/repositories", as: [SampleRepository].self), next: .link)
            var opened: [String] = []
            func open(_ repository: SampleRepository) { opened.append(repository.name) }
            let list = ResourceList(PagedListModel(repositories)) {
                let label = gtk_label_new(nil)!
                return ListRow(label) { repository in gtk_label_set_text(label.opaque, repository.name) }
            }
            list.onActivate = { repository, _ in open(repository) }
            gtk_window_set_child(window.cast(), list.widget)
            try await listWindow.present()
            try await Poll.until { list.model.items.count == 1 }
            try await listWindow.frames(3)
            try await listWindow.press("Tab")
            try await listWindow.press("Return")
            try await Poll.until { opened == ["siesta"] }
            listWindow.close()
        },
    ]
}

private struct SampleRepository: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var name: String
}

@MainActor private func showAvatar(_ service: Service, _ network: StubNetwork, _ row: WidgetPointer) async throws {
    let file = try SampleImage.png(width: 80, height: 80, color: (0, 0, 200))
    network.answer(.get, "/ada.png", with: .response(200, headers: ["Content-Type": "image/png"], body: file))
    let user = (name: "Ada", avatarURL: URL(string: "https://api.test/ada.png"))
    let images = service
    let avatar = RemoteImage(width: 40, height: 40, alternativeText: user.name)
    avatar.resource = images.resource(absoluteURL: user.avatarURL)
    gtk_box_append(row.cast(), avatar.widget)
    try await Poll.until { avatar.model.image != nil }
}
#endif
