#if GTK
import CGTK
import Foundation
import Siesta
import SiestaGTK
import SiestaTesting
import SiestaUI
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A row of the lists in the checks.
struct SampleRow: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var text: String
}

private struct WeakScene {
    weak var scene: ListScene?
}

/// A window with a list in pages, whose server is a closure.
@MainActor final class ListScene {
    let network = StubNetwork()
    let service: Service
    let window: TestWindow
    let list: ResourceList<SampleRow>
    private(set) var rowCount = 0
    private(set) var bindCount = 0
    private(set) var unbindCount = 0
    private var pages: (Int) -> StubAnswer?

    var first: Resource { service.resource("/rows") }

    /// - Parameter pages: the answer for the number of a page, from 1.
    init(pageSize: Int = 20, width: Int = 300, height: Int = 300, _ pages: @escaping (Int) -> StubAnswer?) {
        self.pages = pages
        service = Service(baseURL: "https://api.test", networking: network)
        service.configure { $0.retry = .none }
        let typed = service.resource("/rows", as: [SampleRow].self)
        service.decode("/rows", as: [SampleRow].self)
        let model = PagedListModel(PagedResource(typed, next: .pageNumber(size: pageSize)))
        weak var counts: ListScene?
        list = ResourceList(model) {
            let label: WidgetPointer = gtk_label_new(nil)
            gtk_label_set_xalign(OpaquePointer(label), 0)
            counts?.rowCount += 1
            let scene = WeakScene(scene: counts)
            return ListRow(label) { row in
                scene.scene?.bindCount += 1
                gtk_label_set_text(OpaquePointer(label), row.text)
            } unbind: {
                scene.scene?.unbindCount += 1
            }
        }
        window = TestWindow(width: width, height: height, child: list.widget)
        counts = self
        network.handler = { [weak self] request in
            let query = request.url?.query ?? "page=1"
            let number = query.split(separator: "&").first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) }
            return self?.pages(number ?? 1)
        }
    }

    func setPages(_ pages: @escaping (Int) -> StubAnswer?) { self.pages = pages }

    static func page(_ ids: some Sequence<Int>, prefix: String = "Row") -> StubAnswer {
        let rows = ids.map { #"{"id": \#($0), "text": "\#(prefix) \#($0)"}"# }
        return .json("[\(rows.joined(separator: ", "))]")
    }

    var adjustment: UnsafeMutablePointer<GtkAdjustment> {
        gtk_scrolled_window_get_vadjustment(OpaquePointer(list.widget))
    }

    /// The texts of the rows that a person sees, from top to bottom.
    var seen: [String] { list.widget.visibleTexts }
}
#endif
