/// The lanes of dropped resources whose operations are not complete. A new resource with the same address continues the lane,
/// so that its operations come after those of the dropped resource.
struct UnfinishedLanes {
    private var lanes: [String: WorkLane] = [:]
    private var sweepLimit = SweepLimit()

    mutating func keep(_ lane: WorkLane, of address: String) {
        guard !lane.isIdle else { return }
        if sweepLimit.isReached(by: lanes.count) {
            lanes = lanes.filter { !$0.value.isIdle }
            sweepLimit.noteSweep(leaving: lanes.count)
        }
        lanes[address] = lane
    }

    /// Returns the lane of a dropped resource, and forgets it.
    mutating func take(_ address: String) -> WorkLane? {
        lanes.isEmpty ? nil : lanes.removeValue(forKey: address)
    }
}
