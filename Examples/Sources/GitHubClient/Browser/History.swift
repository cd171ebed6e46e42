/// Where somebody has been, where they are, and where they came back from. Pure.
package struct History<Element> {
    /// What ``goBack()`` leads to, nearest last.
    package private(set) var past: [Element] = []
    /// What is on view.
    package private(set) var current: Element
    /// What ``goForward()`` leads to, nearest last.
    package private(set) var future: [Element] = []
    /// The most elements of the past that are kept; the oldest go first.
    package let limit: Int

    /// Begins a history.
    package init(_ first: Element, limit: Int = 100) {
        current = first
        self.limit = limit
    }

    /// Goes somewhere new; there is no way forward from there.
    package mutating func open(_ element: Element) {
        past = (past + [current]).suffix(limit)
        current = element
        future = []
    }

    /// Goes back; false if there is no past.
    @discardableResult
    package mutating func goBack() -> Bool {
        guard let element = past.popLast() else { return false }
        future.append(current)
        current = element
        return true
    }

    /// Goes to where ``goBack()`` was called last; false if there is no such place.
    @discardableResult
    package mutating func goForward() -> Bool {
        guard let element = future.popLast() else { return false }
        past.append(current)
        current = element
        return true
    }
}

extension History: Sendable where Element: Sendable {}
