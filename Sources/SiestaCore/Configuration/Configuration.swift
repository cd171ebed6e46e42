public import Foundation
import HTTPRules

/// The options for a resource, and for its requests with a given HTTP method.
///
/// Some options apply to a resource as a whole: those for freshness, dependencies, reloading and retention, and
/// ``isPersonal``. A resource takes these options from the rules for GET, including all rules without a method. All
/// other options apply to requests. A request takes them from the rules for its method.
///
/// Change the options in ``Service/configure(_:requestMethods:description:configurer:)``, and read them from
/// ``Resource/configuration(for:)``. An app can add options of its own; see ``ConfigurationKey``.
public struct Configuration {
    /// The time for which data is fresh, in seconds. The default is 30. The option ``freshness`` decides whether this
    /// time or the response headers apply.
    public var expirationTime: TimeInterval = 30

    /// The time after a failed load during which `loadIfNeeded()` starts no new load, in seconds. The default is 1.
    ///
    /// After a call to ``Resource/invalidate()``, this time does not apply.
    public var retryTime: TimeInterval = 1

    /// The headers that are added to every request. If a request sets such a header itself, its own value takes
    /// precedence.
    ///
    /// If a name is not a token, or if a value contains a line break or another control character (RFC 9110 §5), the
    /// request fails with ``RequestError/Code/invalidHeader``, and is not sent. Use this property for header values
    /// from an untrusted source. Do not set such values in ``mutateRequests(with:)``: Foundation's
    /// `URLRequest.setValue(_:forHTTPHeaderField:)` silently ignores a value with a line break.
    ///
    /// A new header replaces one whose name differs only in case. To read or remove a header, use its exact name.
    public var headers: [String: String] = [:] {
        didSet {
            guard !oldValue.isEmpty else { return }
            for name in headers.keys where oldValue[name] == nil {
                for other in oldValue.keys where other.isEqual(toASCII: name) { headers[other] = nil }
            }
        }
    }

    /// The pipeline that processes response bodies.
    public var pipeline = Pipeline()

    /// The time between two progress reports of a running request, in seconds. The default is 0.05.
    public var progressReportingInterval: TimeInterval = 0.05

    /// The decoder that ``Service/decode(_:as:requestMethods:decoder:)`` uses by default.
    ///
    /// Each configuration has a decoder of its own, which a rule can change or replace. Add such a rule before the
    /// calls to ``Service/decode(_:as:requestMethods:decoder:)``.
    public var jsonDecoder = JSONDecoder()

    /// The encoder that ``RequestBody/encoded(_:encoder:)`` uses by default.
    ///
    /// Each configuration has an encoder of its own, which a rule can change or replace.
    public var jsonEncoder = JSONEncoder()

    /// The options that were set with ``subscript(_:)``, and no others: few, and read seldom.
    private(set) var options: [any SetOption] = []

    private(set) var requestMutations: [Resource.RequestMutation] = []
    private(set) var requestDecorators: [(Resource, any Request) -> any Request] = []

    /// Creates a configuration with the default options.
    public init() {}

    /// The value of the option that `key` defines; see ``ConfigurationKey``.
    public subscript<Key: ConfigurationKey>(key: Key.Type) -> Key.Value {
        get {
            for case let option as OptionValue<Key> in options { return option.value }
            return Key.defaultValue
        }
        set {
            let index = options.firstIndex { $0 is OptionValue<Key> } ?? options.endIndex
            options.replaceSubrange(index..<min(index + 1, options.endIndex), with: [OptionValue<Key>(newValue)])
        }
    }

    /// Adds a mutation: a closure that changes the underlying `URLRequest` of each request. Mutations run in the order
    /// in which they were added. They run after the configured headers are added, and after the caller's own changes to
    /// the request.
    ///
    /// A mutation runs once for each request. It also runs before Siesta reads an entity from a `PersistentCache`,
    /// because the cache compares the request headers that are listed in the `Vary` header of the stored response. If
    /// ``freshness`` follows HTTP, the mutation also runs whenever Siesta determines whether data is fresh.
    ///
    /// A mutation can set an `httpBodyStream`. Such a body can be sent only once. If a redirect requires the body a
    /// second time, the providers for libcurl and for a `URLSessionConfiguration` do not follow the redirect, and the
    /// redirect itself becomes the response. In contrast, a request whose body is a sequence fails in this case.
    public mutating func mutateRequests(with mutation: @escaping Resource.RequestMutation) {
        requestMutations.append(mutation)
    }

    /// Adds a decorator, which may wrap or replace every new request before it starts. Decorators run in the order in
    /// which they were added.
    ///
    /// Siesta starts the request that the decorator returns, and returns it to the caller. A decorator can return the
    /// given request with hooks attached, a ``Request/chained(whenCompleted:)`` request, or a different request.
    public mutating func decorateRequests(with decorator: @escaping (Resource, any Request) -> any Request) {
        requestDecorators.append(decorator)
    }
}

/// Not `Sendable`: it holds closures for the main thread.
@available(*, unavailable)
extension Configuration: Sendable {}

extension Configuration: CustomStringConvertible, CustomReflectable {
    /// A string with ``expirationTime`` and ``retryTime``, and with the names of the headers, but not their values.
    public var description: String {
        let names = headers.keys.sorted().joined(separator: ", ")
        return PreparedText.line(
            "Configuration(expires after \(expirationTime) s, retries after \(retryTime) s, headers: \(names))")
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
