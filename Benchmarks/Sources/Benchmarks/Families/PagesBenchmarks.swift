import Siesta

/// Lists in pages of 100 items each. The cost of adding a page must not depend on the length of the list.
@MainActor
func pagesBenchmarks() -> [Benchmark] {
    [10, 100].map { number in
        Benchmark("pages/adding page \(number) of 100 items", fixed: 5) { count in
            let service = makeService()
            service.configure { $0.expirationTime = 1e9 }  // Under valgrind, the preparation may take a minute.
            let lists = (0..<count).map { _ in list(service) }
            for list in lists {
                for _ in 2..<number { try? await list.loadNext() }
            }
            return {
                for list in lists { try? await list.loadNext() }
                precondition(lists.allSatisfy { $0.items.count == number * 100 }, "A page was not added.")
            }
        }
    }
}

/// Returns a list with one page. All further pages are in memory.
@MainActor
private func list(_ service: Service) -> PagedResource<Int> {
    for number in 1...101 {
        let page = service.resource("/list").withParam("page", "\(number)").typed(as: [Int].self)
        if page.content == nil { page.content = Array((number - 1) * 100..<number * 100) }
    }
    let first = service.resource("/list").withParam("page", "1").typed(as: [Int].self)
    return PagedResource(first, id: { $0 }, next: .pageNumber())
}
