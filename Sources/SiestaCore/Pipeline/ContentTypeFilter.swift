import HTTPRules

/// Runs a transformer only on responses of certain content types.
struct ContentTypeFilter: ResponseTransformer {
    let patterns: [ContentTypePattern]
    let contentTypes: [String]
    let transformer: any ResponseTransformer

    init(contentTypes: [String], transformer: any ResponseTransformer) {
        self.contentTypes = contentTypes
        self.transformer = transformer
        patterns = contentTypes.map(ContentTypePattern.init)
    }

    func process(_ response: Response) -> Response {
        response.contentType.map(accepts) ?? false ? transformer.process(response) : response
    }

    func accepts(_ contentType: String) -> Bool {
        contentType.withUTF8Bytes { bytes in
            let essence = MediaType.essence(of: bytes)
            return patterns.contains { $0.matches(essence: essence) }
        }
    }

    var debugDescription: String { "⟨\(contentTypes.joined(separator: " "))⟩ \(transformer.debugDescription)" }
}

extension Response {
    /// The content type of the entity, or of the error's entity; nil for an error without an entity.
    var contentType: String? {
        switch self {
        case .success(let entity): entity.contentType
        case .failure(let error): error.entity?.contentType
        }
    }
}

extension ResponseTransformer {
    /// The transformer if it is a filter around another one; nil otherwise.
    var filter: ContentTypeFilter? { self as? ContentTypeFilter }
}
