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
    /// True if the request was already sent again without a condition.
    var isSecond = false
    /// True if sending the request again has no effect on the server: its method is GET or HEAD, and it has no body.
    var isSafe = true

    var step: Step {
        switch source {
        case nil: asked == nil ? .fail : retry
        case .local: retry
        case .network, .revalidated, .cache: stepForServerData
        }
    }

    private var stepForServerData: Step {
        if asked == current, !isSecond { return asked == nil && !isKnownToServer ? .keep : .confirm }
        return isSuperseded || !isLoad ? .keep : retry
    }

    /// True if the response can refer to the data although the request had no condition. The data must be the server's
    /// last response to a load, without a validator.
    private var isKnownToServer: Bool { isLoad && isUnchanged && source != .cache }

    private var retry: Step { isSafe && !isSecond ? .askAgain : .fail }
}
