public import Foundation
import HTTPRules
import SiestaCore

extension Outbox {
    /// The request of an ``Outbox/Entry``, without credentials.
    public struct StoredRequest: Equatable, Sendable {
        /// The HTTP method, spelled as it is sent to the server.
        public var method: String
        /// The URL, or a path below the URL of a resource that another entry creates.
        package var address: Outbox.Address
        /// The header fields that the app has set. An outbox never stores fields with secrets, such as `Authorization`.
        /// If you set this property, such fields are removed.
        public var headers: [String: String] {
            didSet { headers = Self.kept(headers) }
        }
        /// The value of the `Content-Type` field; nil if there is no body.
        public var contentType: String?
        package var body: Outbox.Body
        package var precondition: Outbox.Condition

        /// The URL of the request; nil if the URL is unknown, because another entry has not created the resource yet.
        ///
        /// Setting nil has no effect.
        public var url: String? {
            get { address.url }
            set { if let newValue { address = .url(newValue) } }
        }

        /// The bytes of the body; nil if there is no body, or if the body is a file. Setting this property replaces the
        /// body, even if it is a file.
        public var data: Data? {
            get { if case .bytes(let data) = body { data } else { nil } }
            set { body = newValue.map { .bytes($0) } ?? .none }
        }

        /// The conditional header fields of the request (RFC 9110 §13.1), by name: `If-Match`, `If-Unmodified-Since`
        /// and `If-None-Match`. Other names are ignored. If the dictionary is empty, the server applies the change to
        /// any version.
        public var conditions: [String: String] {
            get { precondition.fields }
            set { precondition = Outbox.Condition(fields: newValue) }
        }

        /// Creates a request. Secret header fields, such as `Authorization` and `Cookie`, are omitted.
        package init(
            method: String, address: Outbox.Address, headers: [String: String] = [:], contentType: String? = nil,
            body: Outbox.Body = .none, precondition: Outbox.Condition = Outbox.Condition()
        ) {
            (self.method, self.address, self.contentType) = (method, address, contentType)
            (self.body, self.precondition, self.headers) = (body, precondition, Self.kept(headers))
        }

        /// Creates a request from stored parts. The secret header fields were omitted when the request was stored, and looking
        /// for them again would be most of the time to open an outbox.
        init(
            storedMethod method: String, address: Outbox.Address, headers: [String: String], contentType: String?,
            body: Outbox.Body, precondition: Outbox.Condition
        ) {
            (self.method, self.address, self.contentType) = (method, address, contentType)
            (self.body, self.precondition, self.headers) = (body, precondition, headers)
        }

        private static func kept(_ headers: [String: String]) -> [String: String] {
            headers.filter { !SecretHeaders.include($0.key) }
        }

        /// The size of the header fields and the body. A referenced file has no size, because the outbox does not keep it.
        var size: Int {
            headers.reduce(body.keptSize) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        }
    }
}

extension Outbox {
    /// An edit of a resource, in a form that can be stored.
    package struct StoredEdit: Hashable, Sendable {
        /// The address of the edited resource.
        package var address: Outbox.Address
        /// The bytes of a delta between the contents before and after the edit.
        package var delta: Data

        /// Creates an edit.
        package init(address: Outbox.Address, delta: Data) {
            (self.address, self.delta) = (address, delta)
        }
    }
}
