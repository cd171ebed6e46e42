/// What a 304 means: the version that the server was asked about is current (RFC 9110 §15.4.5). Pure.
struct NotModified {
    enum Step {
        /// The data is current.
        case confirm
        /// The request succeeds with the data, which stays as old as it is.
        case keep
        /// The request has to be sent again without a condition.
        case askAgain
        /// There is nothing that the server could have meant.
        case fail
    }

    /// Where the resource's data came from last; nil without data.
    var source: Resource.DataSource?
    /// The validator of that data, and the one that the server was asked about.
    var current: Validator?
    var asked: Validator?
    /// Whether the request is a load, which changes the resource's state.
    var isLoad = true
    /// Whether the request asks for the data's resource, and the data is what it was when the request was sent.
    var isUnchanged = true
    /// Whether the data was brought by a load that started after the request was sent.
    var isOvertaken = false
    /// Whether the request was sent again already, without a condition.
    var isSecond = false
    /// Whether sending the request again has no effect on the server: its method is GET or HEAD.
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
        return isOvertaken || !isLoad ? .keep : retry
    }

    /// Whether the server can mean the data although it was asked about no version: the data is its last response to a
    /// load, and has no validator.
    private var isKnownToServer: Bool { isLoad && isUnchanged && source != .cache }

    private var retry: Step { isSafe && !isSecond ? .askAgain : .fail }
}
