package import Foundation
import HTTPRules

/// The body of an error response, as the content of an entity in a cache. The type distinguishes the error from a
/// success.
package struct ErrorBody: Sendable {
    /// The bytes of the body, before the pipeline.
    package let bytes: Data

    package init(_ bytes: Data) {
        self.bytes = bytes
    }
}

extension RequestError {
    /// The response of the server in the form that caches store; nil if caches do not store it.
    ///
    /// They store the response of a completed exchange if the rules of HTTP caching allow it, and if the response has a
    /// lifetime of its own, so that it holds back further loads.
    var storableResponse: Entity<Any>? {
        guard cause == nil || code == .redirectNotFollowed, let entity, entity.statusCode ?? 0 >= 300,
            let body = entity.content as? Data,
            let lifetime = entity.cachingInfo?.lifetime, lifetime.holdsLoadsBack
        else { return nil }
        return entity.withContent(ErrorBody(body))
    }

    /// Creates the error of a response that a cache has stored.
    init(stored response: Entity<Any>, _ body: ErrorBody) {
        let status = response.statusCode ?? 0
        let cause = (300...399).contains(status) ? Failure.redirectNotFollowed(status) : nil
        self.init(
            statusCode: response.statusCode, headerFields: response.headerFields, content: body.bytes, cause: cause)
    }
}
