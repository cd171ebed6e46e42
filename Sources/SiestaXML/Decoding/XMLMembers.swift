/// The parts of an element that coding keys can select, by key. Creating this table takes time in proportion to the number
/// of children; each search is then fast.
struct XMLMembers {
    private let element: XMLTree.Element
    private let namespaces: [String: String]
    private var elements: [String: [XMLTree.Element]] = [:]
    private var attributes: [String: [XMLTree.Attribute]] = [:]
    /// The keys in the order in which they first occur.
    private(set) var keys: [String] = []

    init(of element: XMLTree.Element, _ options: XMLTreeDecoder) {
        (self.element, namespaces) = (element, options.namespaces)
        let strategy = options.keyDecodingStrategy
        for case .element(let child) in element.children {
            let key = strategy.key(for: child.name.localName)
            if elements[key] == nil { keys.append(key) }
            elements[key, default: []].append(child)
        }
        for attribute in element.attributes where attribute.name.namespace != Self.instance {
            let key = strategy.key(for: attribute.name.localName)
            if attributes[key] == nil, elements[key] == nil { keys.append(key) }
            attributes[key, default: []].append(attribute)
        }
    }

    private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

    /// Returns the part that a key selects; nil if there is none.
    func selection(_ key: String) -> XMLSelection? {
        if key == "#text" { return .text(element.text, line: element.line) }
        if key.hasPrefix("@") { return attribute(String(key.dropFirst())) }
        let (prefix, local) = Self.parts(key)
        let found = elements[local]?.filter { matches($0.name, prefix) } ?? []
        return found.isEmpty ? attribute(key) : .elements(found)
    }

    /// Prefers an attribute without a namespace.
    private func attribute(_ key: String) -> XMLSelection? {
        let (prefix, local) = Self.parts(key)
        let found = attributes[local]?.filter { matches($0.name, prefix) } ?? []
        let attribute = found.first { $0.name.namespace == nil } ?? found.first
        return attribute.map { .text($0.value, line: element.line) }
    }

    private func matches(_ name: XMLTree.Name, _ prefix: String?) -> Bool {
        guard let prefix else { return true }
        return namespaces[prefix].map { name.namespace == $0 } ?? (name.prefix == prefix)
    }

    private static func parts(_ key: String) -> (prefix: String?, local: String) {
        guard let colon = key.firstIndex(of: ":") else { return (nil, key) }
        return (String(key[..<colon]), String(key[key.index(after: colon)...]))
    }
}
