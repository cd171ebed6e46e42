/// The parts of an element that coding keys can select.
///
/// A search in an element with few members compares all of them. For other elements, a table is made first, so that
/// decoding all members takes time in proportion to their number.
struct XMLMembers {
    private let element: XMLTree.Element
    private let namespaces: [String: String]
    private let strategy: XMLKeyDecodingStrategy
    private let index: Index?

    private struct Index {
        var elements: [String: [XMLTree.Element]] = [:]
        var attributes: [String: [XMLTree.Attribute]] = [:]
    }

    init(of element: XMLTree.Element, _ options: XMLTreeDecoder) {
        self.element = element
        (namespaces, strategy) = (options.namespaces, options.keyDecodingStrategy)
        guard element.children.count + element.attributes.count > Self.fewMembers else {
            index = nil
            return
        }
        var index = Index()
        for case .element(let child) in element.children {
            index.elements[strategy.key(for: child.name.localName), default: []].append(child)
        }
        for attribute in element.attributes {
            index.attributes[strategy.key(for: attribute.name.localName), default: []].append(attribute)
        }
        self.index = index
    }

    private static let fewMembers = 16
    private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

    /// The keys in the order in which they first occur.
    var keys: [String] {
        let attributes = element.attributes.filter { $0.name.namespace != Self.instance }
        var known: Set<String> = []
        return (element.elements.map(\.name.localName) + attributes.map(\.name.localName))
            .map { strategy.key(for: $0) }.filter { known.insert($0).inserted }
    }

    /// Returns the part that a key selects; nil if there is none.
    func selection(_ key: String) -> XMLSelection? {
        if key == "#text" { return .text(element.text, line: element.line) }
        if key.utf8.first == UInt8(ascii: "@") { return attribute(String(key.dropFirst())) }
        let (prefix, local) = Self.parts(key)
        let found = elements(local).filter { matches($0.name, prefix) }
        return found.isEmpty ? attribute(key) : .elements(found)
    }

    /// Prefers an attribute without a namespace.
    private func attribute(_ key: String) -> XMLSelection? {
        let (prefix, local) = Self.parts(key)
        let found = attributes(local).filter { $0.name.namespace != Self.instance && matches($0.name, prefix) }
        let attribute = found.first { $0.name.namespace == nil } ?? found.first
        return attribute.map { .text($0.value, line: element.line) }
    }

    private func elements(_ key: String) -> [XMLTree.Element] {
        if let index { return index.elements[key] ?? [] }
        var found: [XMLTree.Element] = []
        for case .element(let child) in element.children where strategy.key(for: child.name.localName) == key {
            found.append(child)
        }
        return found
    }

    private func attributes(_ key: String) -> [XMLTree.Attribute] {
        if let index { return index.attributes[key] ?? [] }
        return element.attributes.filter { strategy.key(for: $0.name.localName) == key }
    }

    private func matches(_ name: XMLTree.Name, _ prefix: String?) -> Bool {
        guard let prefix else { return true }
        return namespaces[prefix].map { name.namespace == $0 } ?? (name.prefix == prefix)
    }

    private static func parts(_ key: String) -> (prefix: String?, local: String) {
        guard let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (nil, key) }
        return (String(key[..<colon]), String(key[key.index(after: colon)...]))
    }
}
