/// The directives of a `Cache-Control` field of a request or a response (RFC 9111 §5.2, RFC 5861, RFC 8246).
///
/// Reading takes time proportional to the length of the field. Unknown directives are skipped. Values that do not
/// parse get the conservative reading:
///
/// - A known directive with text after it that the grammar does not allow still restricts, but does not permit:
///   `no-store x` is `no-store`, and `public x` is ignored.
/// - After a quoted string without an end, all directives are read in this way.
/// - If a directive is repeated, the most restrictive value counts (§4.2.1).
package struct CacheControl: Sendable, Equatable {
    package private(set) var noStore = false
    package private(set) var isPrivate = false
    package private(set) var isPublic = false
    package private(set) var mustRevalidate = false
    package private(set) var proxyRevalidate = false
    package private(set) var mustUnderstand = false
    package private(set) var immutable = false
    package private(set) var noTransform = false
    package private(set) var onlyIfCached = false

    /// True if `no-cache` applies to the whole message: it names no fields, or its argument is not a list of names.
    package private(set) var noCache = false

    /// The fields of a qualified `no-cache`, in lower case (§5.2.2.4). Empty if ``noCache`` is true.
    package private(set) var noCacheFields: [String] = []

    /// The fields of a qualified `private`, in lower case (§5.2.2.7). Empty if ``isPrivate`` is true.
    package private(set) var privateFields: [String] = []

    /// The number of seconds of `max-age`; 0 if it does not parse; nil if the directive is missing.
    package private(set) var maxAge: UInt32?

    /// The number of seconds of `s-maxage`; 0 if it does not parse; nil if the directive is missing.
    package private(set) var sharedMaxAge: UInt32?

    /// The number of seconds of `stale-while-revalidate`; nil if it is missing or does not parse.
    package private(set) var staleWhileRevalidate: UInt32?

    /// The number of seconds of `stale-if-error`; nil if it is missing or does not parse.
    package private(set) var staleIfError: UInt32?

    /// The number of seconds of `max-stale`; 2³¹ if the directive has no number and thus accepts every age (§5.2.1.2);
    /// nil if it is missing or does not parse.
    package private(set) var maxStale: UInt32?

    /// The number of seconds of `min-fresh`; 2³¹ if it does not parse, so that nothing is fresh enough; nil if the
    /// directive is missing.
    package private(set) var minFresh: UInt32?

    /// The maximum number of names in a qualified directive. A longer list counts as the directive without names, which
    /// restricts more.
    package static let nameLimit = 64

    /// Reads a field. Nil is a missing field and has no directives.
    package init(_ value: String?) {
        value?.withUTF8Bytes { bytes in
            var reader = FieldReader(bytes)
            while let directive = reader.takeDirective() { add(directive) }
        }
        if noCache { noCacheFields = [] }
        if isPrivate { privateFields = [] }
    }

    private mutating func add(_ directive: FieldReader.Directive) {
        let name = directive.name
        switch name.count {
        case 6 where name.isEqual(toASCII: "public"): Self.permit(&isPublic, directive)
        case 7 where name.isEqual(toASCII: "max-age"): Self.lower(&maxAge, to: directive.seconds ?? 0)
        case 7 where name.isEqual(toASCII: "private"): isPrivate = !directive.addNames(to: &privateFields) || isPrivate
        case 8 where name.isEqual(toASCII: "no-cache"): noCache = !directive.addNames(to: &noCacheFields) || noCache
        case 8 where name.isEqual(toASCII: "no-store"): noStore = true
        case 8 where name.isEqual(toASCII: "s-maxage"): Self.lower(&sharedMaxAge, to: directive.seconds ?? 0)
        case 9 where name.isEqual(toASCII: "immutable"): Self.permit(&immutable, directive)
        case 9 where name.isEqual(toASCII: "max-stale"): Self.lower(&maxStale, to: directive.secondsOrAny)
        case 9 where name.isEqual(toASCII: "min-fresh"):
            minFresh = max(minFresh ?? 0, directive.seconds ?? .maximumDelta)
        default: addLong(directive)
        }
    }

    private mutating func addLong(_ directive: FieldReader.Directive) {
        let name = directive.name
        switch name.count {
        case 12 where name.isEqual(toASCII: "no-transform"): noTransform = true
        case 14 where name.isEqual(toASCII: "only-if-cached"): onlyIfCached = true
        case 14 where name.isEqual(toASCII: "stale-if-error"): Self.lower(&staleIfError, to: directive.seconds)
        case 15 where name.isEqual(toASCII: "must-revalidate"): mustRevalidate = true
        case 15 where name.isEqual(toASCII: "must-understand"): Self.permit(&mustUnderstand, directive)
        case 16 where name.isEqual(toASCII: "proxy-revalidate"): proxyRevalidate = true
        case 22 where name.isEqual(toASCII: "stale-while-revalidate"):
            Self.lower(&staleWhileRevalidate, to: directive.seconds)
        default: break
        }
    }

    /// Sets a directive that permits something. Arguments have no meaning here (RFC 8246 §2).
    private static func permit(_ directive: inout Bool, _ received: FieldReader.Directive) {
        if !received.isMalformed { directive = true }
    }

    private static func lower(_ directive: inout UInt32?, to seconds: UInt32?) {
        guard let seconds else { return }
        directive = min(directive ?? seconds, seconds)
    }
}
