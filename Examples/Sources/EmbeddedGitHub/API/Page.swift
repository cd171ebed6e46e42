/// One page of a list: which part of it, and the `Link` header that leads to the others.
struct Page: Sendable, Equatable {
    /// Counted from 1.
    let number: Int

    /// How many elements a full page has, from 1 to 100.
    let size: Int

    /// Reads `page` and `per_page`; what is absent or makes no sense becomes 1 and 30, what is too large 100.
    init(_ query: Query) {
        number = max(query["page"].flatMap { Int($0) } ?? 1, 1)
        let wanted = query["per_page"].flatMap { Int($0) } ?? 30
        size = wanted < 1 ? 30 : min(wanted, 100)
    }

    /// The elements on this page; none behind the last one.
    func slice<Element>(of list: [Element]) -> ArraySlice<Element> {
        guard number <= last(of: list.count) else { return [] }
        return list[((number - 1) * size)...].prefix(size)
    }

    /// The value of the `Link` header (RFC 8288), or nil if there is only this page.
    ///
    /// Every other parameter of the query is kept. A page behind the end has the last one as `prev`.
    func links(for count: Int, at url: String, _ query: Query) -> String? {
        let last = last(of: count)
        var targets: [(relation: String, page: Int)] = []
        if number > 1 { targets += [("prev", min(number - 1, last))] }
        if number < last { targets += [("next", number + 1), ("last", last)] }
        if number > 1 { targets += [("first", 1)] }
        guard !targets.isEmpty else { return nil }
        return targets.map { target in
            "<\(url)?\(query.replacing("page", with: String(target.page)).encoded)>; rel=\"\(target.relation)\""
        }.joined(separator: ", ")
    }

    private func last(of count: Int) -> Int {
        max((count + size - 1) / size, 1)
    }
}
