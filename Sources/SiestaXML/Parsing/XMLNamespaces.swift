import HTTPRules
import SiestaCore

/// The namespaces that are in scope while a document is parsed (Namespaces in XML 1.0 §6). Pure.
struct XMLNamespaces {
    typealias Reason = RequestError.Cause.InvalidXML.Reason

    static let xml = "http://www.w3.org/XML/1998/namespace"
    private static let xmlns = "http://www.w3.org/2000/xmlns/"

    /// The declared URIs for each prefix, the innermost last. The default namespace has the prefix "".
    private var bindings = [ExactText("xml"): [xml]]
    /// The prefixes that each open element has declared.
    private var declared: [[ExactText]] = []

    /// The maximum number of declarations in scope. For each name, Foundation's parser searches all of them.
    private static let limit = 512
    private var count = 0

    /// Begins an element: reads its declarations.
    mutating func begin(_ attributes: [String: String]) throws(Reason) {
        var prefixes: [ExactText] = []
        for (name, uri) in attributes {
            guard let prefix = Self.declaredPrefix(name) else { continue }
            guard StreamSafety.allows(uri) else { throw .tooManyMarks }
            let isLegal = prefix == "xml" ? uri == Self.xml : uri != Self.xml && (prefix.isEmpty || !uri.isEmpty)
            guard isLegal, prefix != "xmlns", uri != Self.xmlns, !prefix.contains(":") else {
                throw .invalidNamespace(prefix: prefix)
            }
            bindings[ExactText(prefix), default: []].append(uri)
            prefixes.append(ExactText(prefix))
        }
        declared.append(prefixes)
        count += prefixes.count
        guard count <= Self.limit else { throw .tooManyNamespaces(limit: Self.limit) }
    }

    /// Ends the innermost element.
    mutating func end() {
        let prefixes = declared.popLast() ?? []
        count -= prefixes.count
        for prefix in prefixes { bindings[prefix]?.removeLast() }
    }

    /// Returns the prefix that an attribute declares: "" for the default namespace; nil if it declares none.
    static func declaredPrefix(_ name: String) -> String? {
        guard name.hasPrefix("xmlns") else { return nil }
        if name.utf8.count == 5 { return "" }
        return name.hasPrefix("xmlns:") ? String(name.dropFirst(6)) : nil
    }

    /// Returns the name of an element. Without a prefix, the default namespace applies.
    func element(_ name: String) throws(Reason) -> XMLTree.Name {
        try self.name(name, isDefaultUsed: true)
    }

    /// Returns the name of an attribute. Without a prefix, it belongs to no namespace.
    func attribute(_ name: String) throws(Reason) -> XMLTree.Name {
        try self.name(name, isDefaultUsed: false)
    }

    private func name(_ text: String, isDefaultUsed: Bool) throws(Reason) -> XMLTree.Name {
        guard let colon = text.firstIndex(of: ":") else {
            let uri = isDefaultUsed ? bindings[ExactText("")]?.last : nil
            return XMLTree.Name(text, namespace: uri.flatMap { $0.isEmpty ? nil : $0 })
        }
        let (prefix, local) = (String(text[..<colon]), String(text[text.index(after: colon)...]))
        guard let uri = bindings[ExactText(prefix)]?.last, !prefix.isEmpty, !local.isEmpty, !local.contains(":") else {
            throw .invalidNamespace(prefix: prefix)
        }
        return XMLTree.Name(local, namespace: uri, prefix: prefix)
    }
}
