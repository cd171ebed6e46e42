import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A receiver that reports a response, and passes it on.
struct ObservedReceiver: ResponseReceiver {
    let receiver: any ResponseReceiver
    let observer: any ExchangeObserver

    func begin(_ response: HTTPURLResponse) async throws {
        observer.receive(.received(ExchangeEvent.Head(response)))
        try await receiver.begin(response)
    }

    func receive(_ piece: Data) async throws {
        observer.receive(.receivedPiece(piece))
        try await receiver.receive(piece)
    }
}

extension ExchangeEvent.Head {
    init(_ response: HTTPURLResponse) {
        self.init(status: response.statusCode, fields: HeaderFields(response).pairs, url: response.url)
    }

    init(_ head: NetworkResponse.Head) {
        self.init(status: head.status, fields: head.fields.pairs, url: head.url)
    }
}
