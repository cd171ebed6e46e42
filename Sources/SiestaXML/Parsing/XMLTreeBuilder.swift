import Foundation
import SiestaCore

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Builds a tree from the events of Foundation's parser. Stops the parser at the first error and at each limit.
///
/// The parser reports some errors and yet says that it has succeeded, and continues after errors. Therefore only this
/// object decides: any reported error is a failure, and nothing that follows counts.
final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    typealias Failure = RequestError.Cause.InvalidXML

    private let limits: XMLLimits
    private var open: [XMLTree.Element] = []
    private var namespaces = XMLNamespaces()
    /// The text since the last tag.
    private var text = ""
    private var root: XMLTree.Element?
    private var nodeCount = 0
    private var warningCount = 0
    private var failure: Failure?

    private init(limits: XMLLimits) {
        self.limits = limits
    }

    /// Parses a document in UTF-8 that ``XMLPreparation`` has checked.
    static func root(of data: Data, limits: XMLLimits) throws(Failure) -> XMLTree.Element {
        let parser = XMLParser(data: data)
        let builder = XMLTreeBuilder(limits: limits)
        parser.delegate = builder
        parser.shouldProcessNamespaces = false
        parser.shouldResolveExternalEntities = false
        #if canImport(FoundationXML)
        parser.externalEntityResolvingPolicy = .never
        #endif
        let isParsed = parser.parse()
        if let failure = builder.failure { throw failure }
        guard let root = builder.root else {
            throw Failure(builder.open.isEmpty ? .empty : .incomplete, line: parser.lineNumber)
        }
        guard isParsed else { throw builder.described(parser.parserError as NSError?, parser.lineNumber) }
        return root
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard failure == nil else { return }
        do throws(Failure.Reason) {
            addText()
            guard open.count < limits.maximumDepth else { throw Failure.Reason.tooDeep(limit: limits.maximumDepth) }
            try namespaces.begin(attributes)
            let element = XMLTree.Element(
                try namespaces.element(name), attributes: try resolved(attributes), line: parser.lineNumber)
            nodeCount += 1 + element.attributes.count
            guard nodeCount <= limits.maximumNodeCount else {
                throw Failure.Reason.tooManyNodes(limit: limits.maximumNodeCount)
            }
            open.append(element)
        } catch {
            stop(parser, error)
        }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard failure == nil else { return }
        addText()
        guard nodeCount <= limits.maximumNodeCount else {
            return stop(parser, .tooManyNodes(limit: limits.maximumNodeCount))
        }
        namespaces.end()
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(.element(element))
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if failure == nil { text += string }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        if failure == nil { text += String(decoding: block, as: UTF8.self) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        guard failure == nil, !mayIgnore((error as NSError).code) else { return }
        failure = described(error as NSError, parser.lineNumber)
        parser.abortParsing()
    }

    /// Returns true for a warning, unless there were too many: a document could contain a million causes of warnings.
    private func mayIgnore(_ code: Int) -> Bool {
        guard Self.warnings.contains(code) else { return false }
        warningCount += 1
        return warningCount <= Self.warningLimit
    }

    /// The codes of warnings, which Foundation reports as errors. They concern values of `xml:lang`, `xml:space` and
    /// namespaces: any text is a namespace for this parser, because only equality counts. ``XMLNamespaces`` finds
    /// prefixes that are not declared (201), and names them. For each error and warning, Foundation for Linux leaks its
    /// message.
    private static let warnings: Set = [93, 97, 98, 99, 100, 102, 201]

    /// The maximum number of warnings. On other systems than Linux, nothing leaks.
    #if canImport(FoundationXML)
    private static let warningLimit = 10_000
    #else
    private static let warningLimit = Int.max
    #endif

    private func stop(_ parser: XMLParser, _ reason: Failure.Reason) {
        failure = Failure(reason, line: parser.lineNumber)
        parser.abortParsing()
    }

    private func addText() {
        guard !text.isEmpty, !open.isEmpty else { return }
        open[open.count - 1].children.append(.text(text))
        nodeCount += 1
        text = ""
    }

    private func resolved(_ attributes: [String: String]) throws(Failure.Reason) -> [XMLTree.Attribute] {
        var result: [XMLTree.Attribute] = []
        for name in attributes.keys.sorted() where XMLNamespaces.declaredPrefix(name) == nil {
            result.append(XMLTree.Attribute(name: try namespaces.attribute(name), value: attributes[name] ?? ""))
        }
        guard Set(result.map(\.name)).count == result.count else { throw .duplicateAttribute }
        return result
    }

    /// Returns the failure for an error of the parser. The codes are those of libxml2 on all platforms.
    private func described(_ error: NSError?, _ line: Int) -> Failure {
        let reason: Failure.Reason =
            switch error?.code ?? 0 {
            case 4: .empty
            case 5: root == nil ? (open.isEmpty ? .empty : .incomplete) : .contentAfterRoot
            case 9: .illegalCharacter
            case 26, 27: .undeclaredEntity
            case 42, 203: .duplicateAttribute
            case 76: .mismatchedTag
            case 77: .incomplete
            case 200, 202, 204, 205: .invalidNamespace(prefix: "")
            case let code: .syntax(code: code)
            }
        return Failure(reason, line: line)
    }
}
