/// The effect that a request with an unsafe method had on the server, as far as it is known. Pure.
package enum WriteOutcome {
    /// The server has carried out the write: it responded with a status below 400.
    case done
    /// The server has not carried out the write: it responded with a status from 400 to 499.
    case refused
    /// There is no response, or a server on the way has failed (status 500 and above).
    case unknown

    package init(_ info: ResponseInfo) {
        var status = Int(info.status)
        if status == 0 {
            guard case .failure(let error) = info.response else {
                self = .done
                return
            }
            status = error.httpStatusCode ?? 0
        }
        self = status == 0 || status >= 500 ? .unknown : status >= 400 ? .refused : .done
    }
}
