#if GTK
import CGTK
import SiestaCore
import SiestaGTK
import SiestaTesting
import SiestaUI
import Waiting

extension Check {
    static let progress = [
        Check("A progress bar is visible only during a load, and moves only while the progress is unknown") {
            let network = StubNetwork()
            let service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
            let gate = StubGate()
            network.answer(.get, "/a", with: .text("data").after(gate))
            let resource = service.resource("/a")
            let bar = ResourceProgressBar(ProgressModel(following: resource))
            bar.model.delay = 0
            let window = TestWindow(child: bar.widget)
            defer { window.close() }
            try await window.present()
            try expectEqual(gtk_widget_get_visible(bar.widget), 0)
            try expect(!bar.isPulsing)
            resource.load()
            var hasPulsed = false
            var fractions: [Double] = []
            try await Poll.until {
                hasPulsed = hasPulsed || bar.isPulsing
                if let fraction = bar.model.fraction { fractions.append(fraction) }
                return gtk_widget_get_visible(bar.widget) != 0
            }
            try expect(cgtk_has_accessible_label(bar.widget, "Loading"))
            gate.open()
            try await Poll.until {
                if let fraction = bar.model.fraction { fractions.append(fraction) }
                return !bar.model.isActive
            }
            report("pulsed: \(hasPulsed), largest fraction: \(fractions.max() ?? 0)")
            try expectEqual(fractions, fractions.sorted())
            try expectEqual(gtk_widget_get_visible(bar.widget), 0)
            try expect(!bar.isPulsing)
        },
        Check("A destroyed progress bar releases its model, also while it moves") {
            let network = StubNetwork()
            let service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
            network.answer(.get, "/a", with: .held)
            weak var bar: ResourceProgressBar?
            weak var model: ProgressModel?
            do {
                let created = ResourceProgressBar(ProgressModel(following: service.resource("/a")))
                (bar, model) = (created, created.model)
                created.model.delay = 0
                let window = TestWindow(child: created.widget)
                try await window.present()
                service.resource("/a").load()
                try await Poll.until { created.model.isActive }
                window.close()
            }
            try await Poll.until { bar == nil && model == nil }
        },
    ]
}
#endif
