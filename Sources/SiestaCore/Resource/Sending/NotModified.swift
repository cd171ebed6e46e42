import HTTPRules

/// The rules for a 304 response, which means that the version in the request's condition is current (RFC 9110 §15.4.5).
/// Pure.
struct NotModified {
    enum Step {
        /// The data is current.
        case confirm
        /// The request succeeds with the data. The age of the data does not change.
        case keep
        /// The request must be sent again without a condition.
        case askAgain
        /// The resource has no data that the response can confirm.
        case fail
    }

    /// The source of the resource's data; nil if there is no data.
    var source: Resource.DataSource?
    /// The validator of that data, and the validator in the request's condition.
    var current: Validator?
    var asked: Validator?
    /// True if the request is a load, which changes the resource's state.
    var isLoad = true
    /// True if the request asks for the whole resource, and the data has not changed since the request was sent.
    var isUnchanged = true
    /// True if the data comes from a load that started after the request was sent.
    var isSuperseded = false
    /// True if the response names a version that is not the version of the data.
    var isOther = false
    /// True if the request was already sent again without a condition.
    var isSecond = false
    /// True if sending the request again has no effect on the server: its method is safe, and it has no body.
    var isSafe = true

    var step: Step {
        switch source {
        case nil: asked == nil ? .fail : retry
        case .local: retry
        case .network, .revalidated, .cache: stepForServerData
        }
    }

    private var stepForServerData: Step {
        if asked == current, !isSecond, !isOther { return asked == nil && !isKnownToServer ? .keep : .confirm }
        return isSuperseded || !isLoad ? .keep : retry
    }

    /// True if the response can refer to the data although the request had no condition. The data must be the server's
    /// last response to a load, without a validator.
    private var isKnownToServer: Bool { isLoad && isUnchanged && source != .cache }

    private var retry: Step { isSafe && !isSecond ? .askAgain : .fail }
}

extension NotModified {
    /// Returns the fields of a 304 response that replace or complete the fields of the confirmed data (RFC 9111 §3.2 and
    /// §4.3.4), by their names in lower case. Empty if no field is new.
    static func updates(of stored: HeaderFields, by response: HeaderFields) -> [String: String] {
        // A look-up takes time proportional to the number of fields, which the server chooses.
        guard response.count <= 32, stored.count <= 32 else {
            let old = stored.dictionary
            return response.dictionary.filter { !keptFields.contains($0.key) && $0.value != old[$0.key] }
        }
        var updates: [String: String] = [:]
        response.forEachName { name in
            guard !keptFields.contains(where: name.isEqual(toASCII:)), let value = response[name] else { return }
            if value != stored[name] { updates[name.lowercased()] = value }
        }
        return updates
    }

    /// Returns the fields by which a response with the same content differs from the stored data, by their names in lower
    /// case. An empty value stands for a field that the response does not have. Fields that describe the content or the
    /// connection are left out, but not the validators of the new version, and not the fields of the request that
    /// select it.
    static func differences(of response: HeaderFields, from stored: HeaderFields) -> [String: String] {
        var result = allDifferences(of: response, from: stored)
        for name in keptFields where !["etag", "last-modified", "vary"].contains(name) { result[name] = nil }
        return result
    }

    /// Returns all fields that differ, by their names in lower case. An empty value stands for a missing field.
    static func allDifferences(of new: HeaderFields, from stored: HeaderFields) -> [String: String] {
        let (new, old) = (new.dictionary, stored.dictionary)
        var result = new.filter { $0.value != old[$0.key] }
        for name in old.keys where new[name] == nil { result[name] = "" }
        return result
    }

    /// Returns false if no field of a 304 response changes the confirmed data.
    static func mayUpdate(_ response: HeaderFields) -> Bool { !response.consists(of: keptFields) }

    /// The names of the fields that a 304 does not change. They describe the stored content or its version, the request
    /// that it was selected for, or one connection. A 304 has no content. The most frequent fields come first.
    private static let keptFields: [String] = {
        let frequent = ["content-type", "etag", "vary", "connection", "last-modified", "content-length", "keep-alive"]
        return frequent
            + StoredFields.contentFields.union(StoredFields.connectionFields).subtracting(frequent).sorted()
    }()
}
