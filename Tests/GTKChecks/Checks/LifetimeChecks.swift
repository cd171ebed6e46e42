#if GTK
import CGTK
import Foundation
import SiestaCore
import SiestaGTK
import SiestaLists
import SiestaRetrying
import SiestaTesting
import SiestaUI
import Waiting

extension Check {
    /// Models that outlive a widget, and widgets that the app destroys while they change.
    static let lifetimes = [
        Check("A model that is given to a new widget serves it after the old widget is destroyed") {
            let scene = LifetimeScene()
            let (status, list) = (StatusOverlayModel(displayPriority: .dataFirst), scene.listModel())
            let progress = ProgressModel(following: scene.service.resource("/slow"))
            (status.minimumLoadingTime, progress.delay) = (0, 0)
            status.add(scene.service.resource("/bad"))
            @MainActor func makeWindow() -> (window: TestWindow, bar: WidgetPointer) {
                let rows = ResourceList(list, makeRow: ListScene.labelRow)
                let bar = ResourceProgressBar(progress).widget
                let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
                gtk_widget_set_vexpand(rows.widget, 1)
                for child in [StatusOverlay(over: gtk_label_new("Content"), model: status).widget, bar, rows.widget] {
                    gtk_box_append(box.cast(), child)
                }
                return (TestWindow(child: box), bar)
            }
            let (old, new) = (makeWindow(), makeWindow())
            try await old.window.present()
            try await new.window.present()
            old.window.close()
            defer { new.window.close() }
            let gate = StubGate()
            scene.network.answer(.get, "/slow", with: .text("").after(gate))
            scene.service.resource("/slow").load()
            scene.set(0..<6)
            await scene.service.resource("/bad").load().completion()
            try await Poll.until { gtk_widget_get_visible(new.bar) != 0 }
            try await new.window.frames(3)
            let texts = new.window.widget.visibleTexts
            gate.open()
            try expect(texts.contains("Could not load") && texts.contains("Row 5"), "\(texts)")
        },
        Check("A handler that is told of the focus may close the window of an overlay") {
            for signal in ["notify::focus-widget", "notify::has-focus"] {
                let scene = LifetimeScene()
                let button: WidgetPointer = gtk_button_new_with_label("Content")
                let overlay = StatusOverlay(over: button)
                let window = TestWindow(child: overlay.widget)
                overlay.model.add(scene.service.resource("/bad"))
                try await window.present()
                gtk_widget_grab_focus(button)
                try await window.frames(2)
                let sender = signal == "notify::focus-widget" ? window.widget : button
                SignalConnection.connect(UnsafeMutableRawPointer(sender), signal) { _ in window.close() }
                await scene.service.resource("/bad").load().completion()
                try await Poll.until { !window.isOpen }
            }
        },
        Check("A list may be destroyed when its selected item disappears, or when a row leaves its item") {
            for isUnbinding in [false, true] {
                let scene = LifetimeScene()
                var window: TestWindow?
                scene.set(0..<50)
                let list = ResourceList(scene.listModel()) {
                    let row = ListScene.labelRow()
                    return ListRow(row.widget, bind: row.bind) { if isUnbinding { window?.close() } }
                }
                window = TestWindow(child: list.widget)
                try await window?.present()
                try await window?.frames(3)
                list.selectedPosition = 2
                list.onSelect = { _, _ in window?.close() }
                scene.set(20..<70)
                try await Poll.until { window?.isOpen == false }
            }
        },
        Check("A destroyed list releases the model and the selection of GTK") {
            let scene = LifetimeScene()
            scene.set(0..<3)
            var objects: [WeakObjectReference] = []
            do {
                let list = ResourceList(scene.listModel(), makeRow: ListScene.labelRow)
                let selection = gtk_list_view_get_model(list.listView.opaque)
                let model = gtk_single_selection_get_model(selection)
                objects = [selection, model].compactMap(\.self).map { WeakObjectReference(UnsafeMutableRawPointer($0)) }
                let window = TestWindow(child: list.widget)
                try await window.present()
                try await window.frames(3)
                window.close()
            }
            try expectEqual(objects.count, 2)
            try await Poll.until { objects.allSatisfy { $0.object == nil } }
        },
        Check("The view inside a list may outlive the list") {
            let scene = LifetimeScene()
            scene.set(0..<300)
            weak var list: ResourceList<SampleRow>?
            var view: ObjectReference?
            do {
                let created = ResourceList(scene.listModel(), makeRow: ListScene.labelRow)
                (list, view) = (created, ObjectReference(created.listView))
                let window = TestWindow(child: created.widget)
                try await window.present()
                try await window.frames(3)
                window.close()
            }
            try await Poll.until { list == nil }
            let inner = view.map { WeakObjectReference($0.pointer) }
            view = nil
            try expect(inner != nil && inner?.object == nil)
        },
        Check("A handler that is told of the destruction may change what a widget shows") {
            let scene = LifetimeScene()
            let bad = scene.service.resource("/bad")
            let overlay = StatusOverlay(over: gtk_label_new("Content"))
            let image = RemoteImage(width: 20, height: 20)
            overlay.model.add(bad)
            image.resource = bad
            let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            for child in [overlay.widget, image.widget] { gtk_box_append(box.cast(), child) }
            let window = TestWindow(child: box)
            try await window.present()
            await bad.load().completion()
            try await Poll.until {
                if case .failed = image.model.phase { overlay.model.display.cover == .failure } else { false }
            }
            var calls = 0
            SignalConnection.connect(overlay.widget, "destroy") { _ in
                overlay.model.remove(bad)
                calls += 1
            }
            SignalConnection.connect(image.widget, "destroy") { _ in
                image.resource = nil
                calls += 1
            }
            window.close()
            try expectEqual(calls, 2)
        },
    ]
}

/// A service whose list has the rows that a check sets, and whose other requests fail.
@MainActor private final class LifetimeScene {
    let network = StubNetwork()
    let service: Service

    init() {
        service = Service(baseURL: "https://api.test", networking: network)
        service.configure { $0.retry = .none }
        service.decode("/rows", as: [SampleRow].self)
        network.answer(.get, "/bad", with: .failure(.timedOut))
        set(0..<0)
    }

    func set(_ ids: Range<Int>) {
        let rows = ids.map { SampleRow(id: $0, text: "Row \($0)") }
        service.resource("/rows").overrideLocalData(with: Entity(content: rows, contentType: "application/json"))
    }

    func listModel() -> PagedListModel<SampleRow> {
        let first = service.resource("/rows", as: [SampleRow].self)
        return PagedListModel(PagedResource(first, next: .pageNumber(size: 1_000)))
    }
}
#endif
