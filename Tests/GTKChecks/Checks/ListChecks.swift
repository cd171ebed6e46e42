#if GTK
import CGTK
import Foundation
import SiestaCore
import SiestaGTK
import SiestaLists
import SiestaTesting
import SiestaUI
import Waiting

extension Check {
    static let lists = [
        Check("An endless list loads more pages when a person scrolls, and says where it ends") {
            let scene = ListScene { number in
                ListScene.page((number - 1) * 20..<(number < 6 ? number * 20 : (number - 1) * 20 + 5))
            }
            defer { scene.window.close() }
            try await scene.window.present()
            try await Poll.until { scene.list.model.items.count >= 20 }
            try await scene.window.frames(20)
            let early = scene.network.requests.count
            report("\(early) pages loaded before scrolling")
            try expect(early <= 2)
            for _ in 0..<40 where scene.list.model.items.count < 105 {
                try await scene.window.scroll(scene.list.widget, steps: 10)
                try await scene.window.frames(3)
            }
            try expectEqual(scene.list.model.items.count, 105)
            try expectEqual(scene.list.model.items.map(\.id), Array(0..<105))
            try expectEqual(scene.network.requests.count, 6)
            try await scene.window.scroll(scene.list.widget, steps: 30)
            try await scene.window.frames(3)
            try expectEqual(scene.seen.last, "No more items")
            try await Screenshot.compare(scene.window, "list-end")
        },
        Check("A page that fails is a last row with Retry, and nothing is loaded until a click") {
            var isBroken = true
            let scene = ListScene { number in
                number == 2 && isBroken ? .failure(.timedOut) : ListScene.page((number - 1) * 20..<number * 20)
            }
            defer { scene.window.close() }
            try await scene.window.present()
            try await Poll.until { scene.list.model.items.count == 20 }
            try await scene.window.scroll(scene.list.widget, steps: 30)
            try await Poll.until { if case .failure = scene.list.model.footer { true } else { false } }
            try await scene.window.scroll(scene.list.widget, steps: 30)
            try await scene.window.frames(3)
            try expectEqual(scene.seen.suffix(2).first, "Could not load · The server took too long to respond")
            try await Screenshot.compare(scene.window, "list-failure")
            let count = scene.network.requests.count
            try await scene.window.scroll(scene.list.widget, steps: -30)
            try await scene.window.scroll(scene.list.widget, steps: 30)
            try expectEqual(scene.network.requests.count, count)
            isBroken = false
            try await scene.window.click(scene.list.widget.button("Retry"))
            try await Poll.until { scene.list.model.items.count >= 40 }
        },
        Check("A first page that fails shows Retry") {
            var isBroken = true
            let scene = ListScene { _ in isBroken ? .failure(.timedOut) : ListScene.page(0..<3) }
            defer { scene.window.close() }
            try await scene.window.present()
            try await Poll.until { if case .failure = scene.list.model.footer { true } else { false } }
            try await scene.window.frames(3)
            isBroken = false
            try await scene.window.click(scene.list.widget.button("Retry"))
            try await Poll.until { scene.list.model.items.count == 3 }
            try await scene.window.frames(3)
            try expectEqual(scene.seen, ["Row 0", "Row 1", "Row 2", "No more items"])
        },
        Check("Clicks select, keys move the selection, and Return activates") {
            let scene = ListScene { _ in ListScene.page(0..<5) }
            defer { scene.window.close() }
            var (selected, activated): ([Int?], [Int]) = ([], [])
            scene.list.onSelect = { selected.append($0?.id ?? $1) }
            scene.list.onActivate = { activated.append($0.id == $1 ? $1 : -1) }
            try await scene.window.present()
            try await Poll.until { scene.list.model.items.count == 5 }
            try await scene.window.frames(3)
            try expectEqual(scene.list.selectedPosition, nil)
            let row = try scene.label("Row 1")
            try await scene.window.click(row)
            try await Poll.until { selected == [1] }
            try await scene.window.press("Down")
            try await Poll.until { selected == [1, 2] }
            try await scene.window.press("Return")
            try await Poll.until { activated == [2] }
            scene.list.selectedPosition = 99
            try expectEqual(scene.list.selectedPosition, nil)
        },
        Check("Changes keep the selection, the scroll position and the widgets of all other rows") {
            let scene = ListScene(pageSize: 200) { _ in ListScene.page(0..<100) }
            defer { scene.window.close() }
            var selections: [Int?] = []
            try await scene.window.present()
            try await Poll.until { scene.list.model.items.count == 100 }
            try await scene.window.frames(3)
            scene.list.selectedPosition = 50
            gtk_adjustment_set_value(scene.adjustment, gtk_adjustment_get_upper(scene.adjustment) / 2)
            try await scene.window.frames(5)
            let (top, rows) = (scene.seen.first, scene.rowCount)
            scene.list.onSelect = { selections.append($0?.id ?? $1) }
            // Two rows more at the top, one row less, and a new version of the selected one.
            scene.setPages { _ in
                .json(
                    "[\((Array(-2..<0) + (0..<100).filter { $0 != 3 }).map { #"{"id": \#($0), "text": "\#($0 == 50 ? "New" : "Row") \#($0)"}"# }.joined(separator: ","))]"
                )
            }
            let binds = scene.bindCount
            scene.first.load()
            try await Poll.until { scene.list.model.items.count == 101 }
            try await scene.window.frames(5)
            report("\(scene.bindCount - binds) rows bound anew, \(scene.rowCount - rows) created")
            try expectEqual(scene.list.model.items[51].text, "New 50")
            try expectEqual(scene.list.selectedPosition, 51)
            try expectEqual(selections, [])
            try expectEqual(scene.seen.first, top)
            try expect(scene.list.widget.visibleDescendants.contains { $0.labelText == "New 50" })
            try expect(scene.bindCount - binds <= 3, "\(scene.bindCount - binds) rows")
            // The selected row disappears.
            scene.setPages { _ in ListScene.page((0..<100).filter { $0 != 50 }) }
            scene.first.load()
            try await Poll.until { scene.list.model.items.count == 99 }
            try expectEqual(scene.list.selectedPosition, nil)
            try expectEqual(selections, [nil])
        },
        Check("A selected item that moves keeps the selection") {
            let scene = ListScene(pageSize: 200) { _ in ListScene.page(0..<30) }
            defer { scene.window.close() }
            try await scene.window.present()
            try await Poll.until { scene.list.model.items.count == 30 }
            scene.list.selectedPosition = 5
            scene.setPages { _ in ListScene.page([20, 5] + (0..<30).filter { $0 != 5 && $0 != 20 }) }
            scene.first.load()
            try await Poll.until { scene.list.model.items.first?.id == 20 }
            try expectEqual(scene.list.selectedPosition, 1)
        },
        Check("Two items with one identity are two rows, also after a change") {
            let service = Service(baseURL: "https://api.test", networking: StubNetwork())
            let first = service.resource("/rows", as: [SampleRow].self)
            @MainActor func show(_ texts: [String]) {
                let rows = texts.map { SampleRow(id: 1, text: $0) }
                first.resource.overrideLocalData(with: Entity(content: rows, contentType: "application/json"))
            }
            show(["a", "b", "c"])
            let pages = PagedResource(first, id: \.text, next: .pageNumber(size: 100))
            let list = ResourceList(PagedListModel(pages, id: \.text), makeRow: ListScene.labelRow)
            let window = TestWindow(child: list.widget)
            defer { window.close() }
            try await window.present()
            for texts in [["c", "a", "d"], ["e", "c"], ["a", "b", "c", "d", "e"]] {
                show(texts)
                try await window.frames(3)
                try expectEqual(list.widget.visibleTexts, texts + ["No more items"])
            }
        },
        Check("A list of 100 000 items has few widgets") {
            let scene = ListScene(pageSize: 200_000) { _ in ListScene.page(0..<100_000) }
            defer { scene.window.close() }
            try await scene.window.present()
            try await Poll.until { scene.list.model.items.count == 100_000 }
            let start = ContinuousClock.now
            try await scene.window.frames(3)
            for part in 1...10 {
                gtk_adjustment_set_value(
                    scene.adjustment, gtk_adjustment_get_upper(scene.adjustment) * Double(part) / 10)
                try await scene.window.frames(2)
            }
            report("\(scene.rowCount) row widgets, \((ContinuousClock.now - start).milliseconds) ms for 11 places")
            try expect(scene.rowCount < 500, "\(scene.rowCount)")
            try expectEqual(scene.seen.last, "No more items")
        },
        Check("A view that outlives its list is destroyed without a complaint of GTK") {
            // GTK keeps a view while one of its rows handles the key that closes the window.
            weak var list: ResourceList<SampleRow>?
            var view: ObjectReference?
            do {
                let scene = ListScene { _ in ListScene.page(0..<5) }
                (list, view) = (scene.list, ObjectReference(scene.list.listView))
                try await scene.window.present()
                try await Poll.until { scene.list.model.items.count == 5 }
                try await scene.window.frames(3)
                scene.window.close()
            }
            try await Poll.until { list == nil }
            try expect(view != nil)
            view = nil
        },
        Check("A destroyed list releases its rows and its model") {
            weak var list: ResourceList<SampleRow>?
            weak var model: PagedListModel<SampleRow>?
            do {
                let scene = ListScene { _ in ListScene.page(0..<5) }
                (list, model) = (scene.list, scene.list.model)
                try await scene.window.present()
                try await Poll.until { scene.list.model.items.count == 5 }
                try await scene.window.frames(3)
                scene.window.close()
                try expectEqual(scene.unbindCount, scene.bindCount)
            }
            try await Poll.until { list == nil && model == nil }
        },
    ]
}

extension WidgetPointer {
    /// The text of a label; nil for other widgets.
    @MainActor fileprivate var labelText: String? {
        cgtk_is_a(self, gtk_label_get_type()) ? String(cString: gtk_label_get_text(OpaquePointer(self))) : nil
    }
}

extension ListScene {
    fileprivate func label(_ text: String) throws -> WidgetPointer {
        guard let label = list.widget.visibleDescendants.first(where: { $0.labelText == text }) else {
            throw Failure(description: "No row \(text) in \(seen)")
        }
        return label
    }
}
#endif
