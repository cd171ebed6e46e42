package import Foundation

/// A concern of exchanges, such as retries or a credential.
///
/// Steps are shared by all exchanges with the same configuration. What a step must remember of one exchange is a number,
/// ``Exchange/subscript(memory:)``, or an object, ``Exchange/objects``, at the index of the step. The steps of an exchange are asked
/// in order: before an attempt from the first to the last, after it from the last to the first. A step that asks for
/// another attempt is prepared again, and so are the steps after it, and all after the first one that
/// ``ExchangeStep/countsAttempts``.
@MainActor
package protocol ExchangeStep: AnyObject {
    /// True if the step must permit each attempt, also one for which a later step asks.
    var countsAttempts: Bool { get }

    /// Permits the next attempt, makes it wait, or refuses it.
    func prepare(_ exchange: Exchange, _ index: Int) -> Preparation

    /// Changes an attempt that is sent now.
    func change(_ attempt: inout Attempt, of exchange: Exchange, _ index: Int)

    /// Notes the head of a success whose body is consumed while it arrives.
    ///
    /// - Parameters:
    ///   - advice: the server's wishes; nil if no step needs them.
    ///   - isEndless: true if the body does not end by itself. Then the attempt no longer needs the step.
    func streamBegan(_ advice: ServerAdvice?, isEndless: Bool, of exchange: Exchange, _ index: Int)

    /// Notes the end of an attempt, before any step judges it.
    func attemptEnded(_ info: ResponseInfo, _ arrival: Arrival, of exchange: Exchange, _ index: Int)

    /// Accepts or changes the outcome of an attempt, or asks for another attempt.
    func judge(_ info: inout ResponseInfo, _ arrival: Arrival, of exchange: Exchange, _ index: Int) -> Judgement

    /// Forgets the exchange, which has ended.
    func end(_ exchange: Exchange, _ index: Int)
}

extension ExchangeStep {
    package var countsAttempts: Bool { false }

    package func prepare(_ exchange: Exchange, _ index: Int) -> Preparation { .proceed }

    package func change(_ attempt: inout Attempt, of exchange: Exchange, _ index: Int) {}

    package func streamBegan(_ advice: ServerAdvice?, isEndless: Bool, of exchange: Exchange, _ index: Int) {}

    package func attemptEnded(_ info: ResponseInfo, _ arrival: Arrival, of exchange: Exchange, _ index: Int) {}

    package func judge(_ info: inout ResponseInfo, _ arrival: Arrival, of exchange: Exchange, _ index: Int) -> Judgement
    {
        .accept
    }

    package func end(_ exchange: Exchange, _ index: Int) {}
}

/// The answer of a step before an attempt.
package enum Preparation {
    case proceed
    /// The attempt waits until the ticket is used. The closure is called after the wait has begun, so that it may use the
    /// ticket at once.
    case wait(ExchangeState.Wait, (WaitTicket) -> Void)
}

/// The answer of a step after an attempt.
package enum Judgement {
    case accept
    /// There is another attempt when the ticket is used.
    case again(ExchangeState.Wait, (WaitTicket) -> Void)
}

/// Ends a wait of an exchange. Only the first use has an effect.
@MainActor
package struct WaitTicket {
    package let exchange: Exchange
    package let number: UInt16

    package init(exchange: Exchange, number: UInt16) { (self.exchange, self.number) = (exchange, number) }

    /// True if the exchange still waits for this ticket.
    package var isCurrent: Bool { exchange.isWaiting(for: self) }

    /// Continues with the attempt.
    package func proceed() { exchange.endWait(self) }

    /// Ends the exchange with an error.
    package func refuse(_ error: RequestError) { exchange.endWait(self, with: error) }

    /// Ends the exchange with the outcome of the last attempt.
    package func end(with info: ResponseInfo) { exchange.endWait(self, with: info) }
}

/// One attempt of an exchange, as it is sent.
package struct Attempt {
    package var call: TransportCall
    /// The error because of which there is nothing to send; nil if there is none.
    var obstacle: (any Error)?
    package var rules: ArrivalRules
    /// The number of the event of the attempt; 0 if there were no listeners.
    var event = 0
}

/// The facts about one response that are determined before it is processed.
package struct Arrival {
    let attempt: UInt16
    /// The server's wishes; empty if no step needs them.
    package let advice: Indirect<ServerAdvice>
    /// True if the server has refused the credential.
    package let isRefusal: Bool
    /// True if redirects have led to a request with another method. Then the response does not say whether the server has
    /// carried out this request, which may change something (RFC 9110 §15.4.4).
    package let isOfOtherMethod: Bool

    package var status: Int { advice.value?.status ?? 0 }
}

/// Makes the ``Arrival`` of a response.
package struct ArrivalRules: Sendable {
    var attempt: UInt16 = 0
    let clock: SiestaClock
    /// The session whose credential the request carries; nil if it carries none.
    package var authentication: (any Authentication)?
    /// The URL of a request with a credential.
    package var url: URL?
    /// True if the quotas of the server are read; nil if its wishes are not needed.
    package var readsQuotas: Bool?

    /// Returns the wishes of the server; nil if no step needs them.
    func advice(in response: NetworkResponse) -> ServerAdvice? {
        readsQuotas.map { ServerAdvice(response, at: clock, readsQuota: $0) }
    }

    /// - Parameter redirects: the redirects that led to the response; nil without redirects, or for a load.
    package func arrival(
        of response: NetworkResponse, after redirects: NetworkResponse.FollowedRedirects? = nil
    ) -> Arrival {
        Arrival(
            attempt: attempt, advice: Indirect(advice(in: response)),
            isRefusal: authentication?.isRefusal(response, to: url) ?? false,
            isOfOtherMethod: redirects?.changesMethod ?? false)
    }
}
