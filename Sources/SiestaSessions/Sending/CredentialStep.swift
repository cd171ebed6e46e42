import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Adds the credential of the session to a request whose URL is in its scope. The request waits for a refresh, and is sent
/// again after a refusal, as ``SessionRules`` decide.
@MainActor
final class CredentialStep: ExchangeStep {
    private let authentication: SessionAuthentication
    private var session: UserSession { authentication.session }

    /// What the step remembers of an exchange.
    private struct Memory {
        /// True if the next attempt carries the credential.
        var isCarried: Bool
        /// The number of the credential that was sent last; 0 if none was sent.
        var number: Int32
        var refusals: Refusals

        init(_ bits: UInt64) {
            isCarried = bits & 1 != 0
            number = Int32(truncatingIfNeeded: bits >> 32)
            refusals = Refusals(bits: UInt8(truncatingIfNeeded: bits >> 8))
        }

        var bits: UInt64 {
            UInt64(UInt32(bitPattern: number)) << 32 | UInt64(refusals.bits) << 8 | (isCarried ? 1 : 0)
        }
    }

    init(_ authentication: SessionAuthentication) {
        self.authentication = authentication
    }

    func prepare(_ exchange: Exchange, _ index: Int) -> Preparation {
        guard let request = exchange.request, let resource = exchange.resource else { return .proceed }
        guard isOf(exchange), authentication.covers(request) else { return proceed(exchange, index, isCarried: false) }
        guard !session.isReady else { return proceed(exchange, index, isCarried: true) }
        return .wait(.credential) { ticket in
            self.session.authorize(exchange, over: resource.context.authenticationNetwork) { permission in
                guard ticket.isCurrent else { return }
                switch permission.extended(for: resource) {
                case .send(let use): _ = self.proceed(exchange, index, isCarried: use != nil)
                case .fail(let error): return ticket.refuse(error)
                }
                ticket.proceed()
            }
        }
    }

    /// False if the service of an exchange has another session now, and if the exchange belongs to a refresh.
    private func isOf(_ exchange: Exchange) -> Bool { exchange.authentication === authentication }

    private func proceed(_ exchange: Exchange, _ index: Int, isCarried: Bool) -> Preparation {
        var memory = Memory(exchange[memory: index])
        memory.isCarried = isCarried
        exchange[memory: index] = memory.bits
        return .proceed
    }

    func change(_ attempt: inout Attempt, of exchange: Exchange, _ index: Int) {
        var memory = Memory(exchange[memory: index])
        memory.number = 0
        if memory.isCarried, isOf(exchange), let use = session.rules.holder {
            attempt.call.extras = authentication.apply(use, to: &attempt.call.request)
            (attempt.rules.authentication, attempt.rules.url) = (authentication, attempt.call.request.url)
            memory.number = use.number
        }
        exchange[memory: index] = memory.bits
    }

    func judge(_ info: inout ResponseInfo, _ arrival: Arrival, of exchange: Exchange, _ index: Int) -> Judgement {
        guard arrival.isRefusal, let resource = exchange.resource, let request = exchange.request else {
            return .accept
        }
        var memory = Memory(exchange[memory: index])
        let (number, isCurrent) = (memory.number, session.isCurrent(memory.number))
        guard memory.refusals.allowsRepetition(isCurrent: isCurrent) else { return .accept }
        // After a redirect with another method, the server may have carried out the request itself.
        let mayBeDone =
            arrival.isOfOtherMethod && !request.isSafe
            && !HTTPMethods.isRepeatable(request.method, hasKey: request.hasIdempotencyKey)
        guard exchange.isRepeatable, !mayBeDone else {
            session.noteRefusal(of: number, over: resource.context.authenticationNetwork)
            return .accept
        }
        memory.refusals.note(isCurrent: isCurrent)
        exchange[memory: index] = memory.bits
        return .again(.credential) { [info] ticket in
            self.session.authorize(exchange, after: number, over: resource.context.authenticationNetwork) {
                permission in
                guard ticket.isCurrent else { return }
                switch permission.extended(for: resource) {
                case .send:
                    exchange.reason = .refresh
                    ticket.proceed()
                case .fail(let error): ticket.end(with: info.refused(error))
                }
            }
        }
    }

    func end(_ exchange: Exchange, _ index: Int) {
        session.stopWaiting(exchange)
    }
}

extension UserSession.Permission {
    /// Returns a permission without a credential if the session has expired, and the resource is not personal.
    @MainActor
    fileprivate func extended(for resource: Resource) -> Self {
        guard case .fail(let error) = self, error.cause is SessionExpired, !resource.isPersonal else { return self }
        return .send(nil)
    }
}

extension ResponseInfo {
    /// Returns the response by which the server has refused the credential, with the reason why the request was not
    /// sent again.
    fileprivate func refused(_ reason: RequestError) -> ResponseInfo {
        var info = self
        guard case .failure(var error) = response else { return ResponseInfo(response: .failure(reason)) }
        (error.userMessage, error.cause) = (reason.userMessage, reason.cause)
        info.response = .failure(error)
        return info
    }
}
