import Foundation
import SiestaCore
import SiestaJSON

/// The update of one resource by an event of a ``LiveSource``.
///
/// An update with a version is ignored if the data already has this version or a newer version. Therefore such an
/// update may arrive twice without harm.
///
/// If an update cannot be applied, the resource is loaded. For example, the base of the update may not be the
/// version of the current data, or the data may have no JSON form.
public struct LiveUpdate: Sendable {
    enum Change: Sendable {
        case replace(Data, contentType: String)
        case content(any Sendable)
        case merge(Data)
        case patch(Data)
        case invalidate
        case remove
        case reset
    }

    let change: Change

    /// The version of the data after the update; nil if this version is unknown.
    let version: LiveVersion?

    /// The version of the data to which the update applies; nil if the update applies to any data.
    let base: LiveVersion?

    /// True for a merge patch or a patch.
    var isPatch: Bool {
        switch change {
        case .merge, .patch: true
        default: false
        }
    }

    /// True if this update is known to lead to a newer version than another one.
    func isNewer(than other: LiveUpdate) -> Bool {
        guard let version, let otherVersion = other.version else { return false }
        return otherVersion.isCovered(by: version) && version != otherVersion
    }

    /// The number of bytes of the change.
    var size: Int {
        switch change {
        case .replace(let bytes, _), .merge(let bytes), .patch(let bytes): bytes.count
        case .content, .invalidate, .remove, .reset: 0
        }
    }

    private init(_ change: Change, version: LiveVersion? = nil, base: LiveVersion? = nil) {
        (self.change, self.version, self.base) = (change, version, base)
    }

    /// The data has been replaced. The pipeline of the resource processes the text, as if it were the body of a
    /// response.
    ///
    /// - Parameters:
    ///   - text: The whole representation, such as the ``ServerEvent/data`` of an event.
    ///   - contentType: The type of the text.
    ///   - version: The version of the data.
    public static func replace(
        _ text: String, contentType: String = "application/json", version: LiveVersion? = nil
    ) -> LiveUpdate {
        LiveUpdate(.replace(Data(text.utf8), contentType: contentType), version: version)
    }

    /// The data has been replaced by content that the pipeline need not process.
    public static func replace(content: some Sendable, version: LiveVersion? = nil) -> LiveUpdate {
        LiveUpdate(.content(content), version: version)
    }

    /// Members of the data have changed: a JSON merge patch (RFC 7396).
    ///
    /// The patch is applied to the JSON form of the content, and the pipeline processes the result. The content must be
    /// JSON of Foundation's types, a `JSONValue`, or an `Encodable` value whose JSON the pipeline can read.
    public static func merge(_ json: String, base: LiveVersion? = nil, version: LiveVersion? = nil) -> LiveUpdate {
        LiveUpdate(.merge(Data(json.utf8)), version: version, base: base)
    }

    /// Parts of the data have changed: a JSON patch (RFC 6902), which is applied as ``merge(_:base:version:)``
    /// describes.
    ///
    /// Pass a base and a version. Otherwise, a patch that arrives twice is applied twice.
    public static func patch(_ json: String, base: LiveVersion? = nil, version: LiveVersion? = nil) -> LiveUpdate {
        LiveUpdate(.patch(Data(json.utf8)), version: version, base: base)
    }

    /// The data has changed. The resource becomes stale, and is loaded if it is observed.
    public static var invalidate: LiveUpdate { LiveUpdate(.invalidate) }

    /// The data on the server now has this version. If the resource does not have this version or a newer one, it
    /// becomes stale, and is loaded if it is observed.
    public static func invalidate(version: LiveVersion) -> LiveUpdate { LiveUpdate(.invalidate, version: version) }

    /// The resource has been deleted on the server.
    public static func remove(version: LiveVersion? = nil) -> LiveUpdate { LiveUpdate(.remove, version: version) }

    /// The source has lost its history: the stream begins again, and all observed resources of the source are loaded.
    public static var reset: LiveUpdate { LiveUpdate(.reset) }
}
