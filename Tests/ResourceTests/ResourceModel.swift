import Foundation
import SiestaCore
import TestDoubles

/// The specification of a resource as a simple model: no classes, no callbacks, no network.
struct ResourceModel {
    /// A response of the server.
    enum Answer: Hashable {
        case newData(content: String, etag: String?)
        case notModified
        case failure(String)
    }

    struct Data {
        var content: String
        var etag: String?
        var timestamp: TimeInterval
        var time: TimeInterval
        var isFromLoad: Bool
    }

    struct Failure {
        var kind: String
        var timestamp: TimeInterval
        var time: TimeInterval
    }

    /// A running request.
    struct Flight {
        let id: Int
        var exchange: Int
        var etag: String?
        /// The number among the loads; nil for a request that is not a load.
        var loadNumber: Int?
        /// True if it is a GET, which may be sent again.
        var isGet = false
        /// The number of loads that had started when it was sent.
        var loadsBefore = 0
        /// The number of changes of the data when it was sent.
        var revision = 0
        var isSentAgain = false
    }

    /// The state that an observer sees at an event.
    struct Sight: Equatable {
        let event: ResourceEvent
        let content: String?
        let failure: String?
        let isLoading: Bool
    }

    /// The result that a request's hooks receive.
    struct Outcome: Hashable {
        let id: Int
        let text: String
    }

    var wallTime: TimeInterval
    var time: TimeInterval
    var expirationTime: TimeInterval = 30
    var data: Data?
    var failure: Failure?
    var isInvalidated = false
    private(set) var flights: [Flight] = []
    private var requestCount = 0
    private var exchangeCount = 0
    private var loadCount = 0
    private var shownLoad = 0
    private var revision = 0

    /// The events and results since these lists were last emptied.
    var sights: [Sight] = []
    var outcomes: [Outcome] = []
    private(set) var askedAgainCount = 0
    private(set) var overtakenCount = 0

    init(wallTime: TimeInterval, time: TimeInterval) {
        (self.wallTime, self.time) = (wallTime, time)
    }

    // MARK: Properties of a resource

    var isLoading: Bool { !loads.isEmpty }

    /// The requests that are loads, in the order in which they became loads.
    var loads: [Flight] {
        flights.filter { $0.loadNumber != nil }.sorted { $0.loadNumber ?? 0 < $1.loadNumber ?? 0 }
    }

    var timestamp: TimeInterval { max(data?.timestamp ?? 0, failure?.timestamp ?? 0) }

    var isUpToDate: Bool {
        guard !isInvalidated, let newest = [data?.time, failure?.time].compactMap({ $0 }).max() else { return false }
        return time - newest <= (failure == nil ? expirationTime : 1)
    }

    // MARK: Operations of a caller

    mutating func request() -> Int {
        start(etag: nil, isGet: false)
    }

    mutating func load() -> Int {
        let id = start(etag: data?.isFromLoad ?? false ? data?.etag : nil, isGet: true)
        useAsLoad(id)
        return id
    }

    mutating func useAsLoad(_ id: Int) {
        guard let index = flights.firstIndex(where: { $0.id == id }), flights[index].loadNumber == nil else { return }
        loadCount += 1
        flights[index].loadNumber = loadCount
        see(.requested)
    }

    mutating func cancel(_ id: Int) {
        guard let flight = end(id) else { return }
        if flight.loadNumber != nil { see(.requestCancelled) }
        outcomes.append(Outcome(id: id, text: "cancelled"))
    }

    mutating func override(content: String, etag: String?, age: TimeInterval) {
        put(content, etag, isFromLoad: false, age: age)
        see(.newData(.localOverride))
    }

    mutating func wipe() {
        for flight in loads + flights { cancel(flight.id) }
        (data, failure, isInvalidated) = (nil, nil, false)
        see(.newData(.wipe))
    }

    // MARK: Responses of a server

    mutating func receive(_ answer: Answer, to exchange: Int) {
        guard let flight = flights.first(where: { $0.exchange == exchange }) else { return }
        switch answer {
        case .newData(let content, let etag):
            finish(flight, "new data \(content)") { model in
                model.put(content, etag, isFromLoad: true, age: 0)
                return (.newData(.network), isSuccess: true)
            }
        case .failure(let kind): fail(flight, kind)
        case .notModified: receiveNotModified(flight)
        }
    }

    private mutating func receiveNotModified(_ flight: Flight) {
        if let data, data.isFromLoad {
            let isKnown = flight.etag != nil || flight.isGet && flight.revision == revision
            if flight.etag == data.etag, !flight.isSentAgain, isKnown {
                return finish(flight, "not modified") { model in
                    model.put(data.content, data.etag, isFromLoad: true, age: 0)
                    return (.notModified, isSuccess: true)
                }
            }
            let hasNoValidator = flight.etag == nil && data.etag == nil && !flight.isSentAgain
            if hasNoValidator || shownLoad > flight.loadsBefore + 1 || flight.loadNumber == nil {
                return finish(flight, "not modified") { model in
                    model.failure = nil
                    return (.notModified, isSuccess: false)
                }
            }
        }
        guard flight.isGet, !flight.isSentAgain, flight.etag != nil || data != nil,
            let index = flights.firstIndex(where: { $0.id == flight.id })
        else { return fail(flight, "no local data") }
        askedAgainCount += 1
        flights[index].etag = nil
        flights[index].isSentAgain = true
        flights[index].exchange = exchangeCount
        exchangeCount += 1
    }

    private mutating func fail(_ flight: Flight, _ kind: String) {
        finish(flight, "failure \(kind)") { model in
            model.failure = Failure(kind: kind, timestamp: model.wallTime, time: model.time)
            model.isInvalidated = false
            return (.error, isSuccess: false)
        }
    }

    /// Ends a request. If it is a load and no later load has succeeded, it changes the state.
    private mutating func finish(
        _ flight: Flight, _ outcome: String, effect: (inout ResourceModel) -> (event: ResourceEvent, isSuccess: Bool)
    ) {
        _ = end(flight.id)
        if let number = flight.loadNumber {
            if number < shownLoad {
                overtakenCount += 1
                see(.notModified)
            } else {
                let (event, isSuccess) = effect(&self)
                if isSuccess { shownLoad = number }
                see(event)
            }
        }
        outcomes.append(Outcome(id: flight.id, text: outcome))
    }

    // MARK: Parts

    private mutating func start(etag: String?, isGet: Bool) -> Int {
        flights.append(
            Flight(
                id: requestCount, exchange: exchangeCount, etag: etag, isGet: isGet, loadsBefore: loadCount,
                revision: revision))
        requestCount += 1
        exchangeCount += 1
        return requestCount - 1
    }

    private mutating func end(_ id: Int) -> Flight? {
        flights.firstIndex { $0.id == id }.map { flights.remove(at: $0) }
    }

    private mutating func put(_ content: String, _ etag: String?, isFromLoad: Bool, age: TimeInterval) {
        revision += 1
        data = Data(content: content, etag: etag, timestamp: wallTime - age, time: time - age, isFromLoad: isFromLoad)
        (failure, isInvalidated) = (nil, false)
    }

    private mutating func see(_ event: ResourceEvent) {
        sights.append(Sight(event: event, content: data?.content, failure: failure?.kind, isLoading: isLoading))
    }
}
