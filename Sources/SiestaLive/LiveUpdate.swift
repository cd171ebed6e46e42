import Foundation
import SiestaCore
import SiestaJSON

/// An update to one resource, as described by an event from a ``LiveSource``.
///
/// An update with a version is ignored if the data already has this version or a newer version. Therefore, receiving
/// such an update twice has no further effect.
///
/// If an update cannot be applied, the resource is loaded. For example, an update cannot be applied if its `base` is
/// not the version of the current data, or if it patches content that cannot be converted to JSON.
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

    /// An update that replaces the data. The pipeline of the resource processes the text as if it were the body of a
    /// response.
    ///
    /// - Parameters:
    ///   - text: The whole representation, such as the ``ServerEvent/data`` of an event.
    ///   - contentType: The content type of the text. The default is `application/json`.
    ///   - version: The version of the data after the update; nil if it is unknown.
    public static func replace(
        _ text: String, contentType: String = "application/json", version: LiveVersion? = nil
    ) -> LiveUpdate {
        LiveUpdate(.replace(Data(text.utf8), contentType: contentType), version: version)
    }

    /// An update that replaces the content with the given value. The pipeline does not process this value.
    public static func replace(content: some Sendable, version: LiveVersion? = nil) -> LiveUpdate {
        LiveUpdate(.content(content), version: version)
    }

    /// An update that changes members of the data: a JSON merge patch (RFC 7396).
    ///
    /// The library converts the content to JSON, applies the patch, and passes the result through the pipeline. The
    /// content must consist of the types of `JSONSerialization`, or be a `JSONValue`, or an `Encodable` value whose
    /// JSON the pipeline can read.
    public static func merge(_ json: String, base: LiveVersion? = nil, version: LiveVersion? = nil) -> LiveUpdate {
        LiveUpdate(.merge(Data(json.utf8)), version: version, base: base)
    }

    /// An update that changes parts of the data: a JSON patch (RFC 6902). It is applied as ``merge(_:base:version:)``
    /// describes.
    ///
    /// Pass as `base` the version that the patch changes, and as `version` the new version. Otherwise, a patch that
    /// arrives twice is applied twice.
    public static func patch(_ json: String, base: LiveVersion? = nil, version: LiveVersion? = nil) -> LiveUpdate {
        LiveUpdate(.patch(Data(json.utf8)), version: version, base: base)
    }

    /// An update without data: the data on the server has changed. The resource becomes stale, and is loaded if it is
    /// observed.
    public static var invalidate: LiveUpdate { LiveUpdate(.invalidate) }

    /// An update without data: the data on the server now has this version. If the resource does not have this version
    /// or a newer one, it becomes stale, and is loaded if it is observed.
    public static func invalidate(version: LiveVersion) -> LiveUpdate { LiveUpdate(.invalidate, version: version) }

    /// An update that removes the data, because the resource has been deleted on the server.
    public static func remove(version: LiveVersion? = nil) -> LiveUpdate { LiveUpdate(.remove, version: version) }

    /// An update that reports that the source has lost its history. The stream begins again, and all observed resources
    /// of the source are loaded.
    public static var reset: LiveUpdate { LiveUpdate(.reset) }
}
