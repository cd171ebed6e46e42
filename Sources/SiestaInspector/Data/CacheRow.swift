import SiestaCore

/// The uses of the caches of one stage for one resource, since the inspector started. Contains no secret.
struct CacheRow: Sendable {
    let id: Int
    let resource: Int
    let url: String
    let stage: String
    var hits = 0
    var misses = 0
    var writes = 0
    var removals = 0
    /// The last operation, and its time in seconds since 1970.
    var last = ""
    var time = 0.0
    /// The duration of the last measured operation, in seconds.
    var duration: Double?

    mutating func note(_ operation: ActivityEvent.CacheOperation, lasting duration: Double?, at time: Double) {
        switch operation {
        case .hit: hits += 1
        case .miss: misses += 1
        case .write: writes += 1
        case .remove: removals += 1
        }
        (last, self.time, self.duration) = ("\(operation)", time, duration ?? self.duration)
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", id)
            json.member("resource", resource)
            json.member("url", url)
            json.member("stage", stage)
            json.member("hits", hits)
            json.member("misses", misses)
            json.member("writes", writes)
            json.member("removals", removals)
            json.member("last", last)
            json.member("time", time)
            json.member("seconds", duration)
        }
    }
}
