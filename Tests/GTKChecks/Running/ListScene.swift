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

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A row of the lists in the checks.
struct SampleRow: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var text: String
}

/// A window with a list in pages, whose server is a closure.
@MainActor final class ListScene {
    let network = StubNetwork()
    let service: Service
    let window: TestWindow
    let list: ResourceList<SampleRow>
    private let counts = Counts()
    private var pages: (Int) -> StubAnswer?

    /// The numbers of calls of the closures of rows.
    private final class Counts {
        var (rows, binds, unbinds) = (0, 0, 0)
    }

    var rowCount: Int { counts.rows }
    var bindCount: Int { counts.binds }
    var unbindCount: Int { counts.unbinds }

    var first: Resource { service.resource("/rows") }

    /// - Parameters:
    ///   - makeRow: creates the widgets of a row. The default is a label.
    ///   - pages: the answer for the number of a page, from 1.
    init(
        pageSize: Int = 20, makeRow: @escaping @MainActor () -> ListRow<SampleRow> = ListScene.labelRow,
        _ pages: @escaping (Int) -> StubAnswer?
    ) {
        self.pages = pages
        service = Service(baseURL: "https://api.test", networking: network)
        service.configure { $0.retry = .none }
        let typed = service.resource("/rows", as: [SampleRow].self)
        service.decode("/rows", as: [SampleRow].self)
        let model = PagedListModel(PagedResource(typed, next: .pageNumber(size: pageSize)))
        let counts = counts
        list = ResourceList(model) {
            let row = makeRow()
            counts.rows += 1
            return ListRow(row.widget) {
                counts.binds += 1
                row.bind($0)
            } unbind: {
                counts.unbinds += 1
                row.unbind()
            }
        }
        window = TestWindow(width: 300, height: 300, child: list.widget)
        network.handler = { [weak self] request in
            let query = request.url?.query ?? "page=1"
            let number = query.split(separator: "&").first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) }
            return self?.pages(number ?? 1)
        }
    }

    static func labelRow() -> ListRow<SampleRow> {
        let label: WidgetPointer = gtk_label_new(nil)
        gtk_label_set_xalign(OpaquePointer(label), 0)
        return ListRow(label) { gtk_label_set_text(OpaquePointer(label), $0.text) }
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
