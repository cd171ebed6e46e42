import Foundation
import SiestaCore
import SiestaCaches
import SiestaWriting

/// The segments of an outbox, and the places of its entries. Pure, except for the app's encryption.
struct OutboxLayout: Sendable {
    private(set) var segments: [RecordKey: OutboxSegment] = [:]
    /// The entries in their places, with the names of their files.
    private var occupied: [String: Occupied] = [:]
    /// The frames that are no usable entries.
    private var unusable: Set<OutboxPlace> = []
    /// The entries that were sealed with an earlier key.
    private var formerlySealed: [OutboxPlace: Outbox.Entry] = [:]
    /// The segments of each partition that have a free place.
    private var open: [UInt128: Set<UInt128>] = [:]
    /// The highest name of a segment in each partition.
    private var lastNames: [UInt128: UInt128] = [:]
    let frame: OutboxFrame

    struct Occupied: Sendable {
        var place: OutboxPlace
        var file: String?
    }

    init(sealing: (any EntitySealing)?) {
        frame = OutboxFrame(sealing: sealing)
    }

    // MARK: Loading

    /// Adds a record, or a record that cannot be read if `record` is nil. Returns its entries.
    mutating func load(_ record: Data?, _ key: RecordKey) -> [Outbox.Entry] {
        let segment = record.map { OutboxSegment($0, key) } ?? .unreadable
        var entries: [Outbox.Entry] = []
        for (index, content) in segment.frames.enumerated() {
            guard let content else { continue }
            let place = OutboxPlace(key: key, frame: UInt8(index))
            guard let entry = try? frame.entry(content, place), occupied[entry.id] == nil else {
                unusable.insert(place)
                continue
            }
            occupied[entry.id] = Occupied(place: place, file: entry.request.body.keptName)
            if frame.isSealedWithFormerKey(content) { formerlySealed[place] = entry }
            entries.append(entry)
        }
        set(segment, key)
        return entries
    }

    /// The number of entries that cannot be read.
    var unreadable: Int { segments.values.reduce(unusable.count) { $0 + $1.missing } }

    /// The names of all files that entries use.
    var files: Set<String> { Set(occupied.values.compactMap(\.file)) }

    // MARK: Changing

    /// Changes that are not stored yet: they are not part of the layout before ``commit(_:)``.
    struct Draft: Sendable {
        fileprivate var segments: [RecordKey: OutboxSegment] = [:]
        fileprivate var occupied: [String: Occupied?] = [:]
        /// The records to write, one after another.
        var records: [RecordKey] = []
        /// The contents of the records; nil for a record to be removed.
        var contents: [Data?] = []
        /// The files that no entry uses after the changes.
        var files: Set<String> = []

        /// The records that the draft changes.
        var keys: Set<RecordKey> { Set(segments.keys) }
    }

    /// Returns the changes of records. Successive changes of one segment become one change of its record.
    func draft(_ changes: [OutboxStoreChange]) throws -> Draft {
        var draft = Draft()
        var previous: RecordKey?
        for change in changes {
            guard let key = try make(change, in: &draft) else { continue }
            if let previous, previous != key { finish(previous, in: &draft) }
            previous = key
        }
        if let previous { finish(previous, in: &draft) }
        return draft
    }

    private func finish(_ key: RecordKey, in draft: inout Draft) {
        guard let segment = draft.segments[key] else { return }
        draft.records.append(key)
        draft.contents.append(segment.isEmpty ? nil : segment.encoded(key))
    }

    /// Returns the record that the change concerns; nil if it changes nothing.
    private func make(_ change: OutboxStoreChange, in draft: inout Draft) throws -> RecordKey? {
        switch change {
        case .write(let entry): try write(entry, in: &draft)
        case .remove(let id): remove(id, in: &draft)
        }
    }

    private func write(_ entry: Outbox.Entry, in draft: inout Draft) throws -> RecordKey {
        let old = stored(entry.id, in: draft)
        let place = old?.place ?? freePlace(for: entry, in: draft)
        let content = try frame.encoded(entry, place)
        var segment = draft.segments[place.key] ?? segments[place.key] ?? OutboxSegment()
        segment[place.frame] = content
        draft.segments[place.key] = segment
        let file = entry.request.body.keptName
        draft.occupied[entry.id] = .some(Occupied(place: place, file: file))
        if let unused = old?.file, unused != file { draft.files.insert(unused) }
        if let file { draft.files.remove(file) }
        return place.key
    }

    private func remove(_ id: String, in draft: inout Draft) -> RecordKey? {
        guard let old = stored(id, in: draft) else { return nil }
        let key = old.place.key
        var segment = draft.segments[key] ?? segments[key] ?? OutboxSegment()
        segment[old.place.frame] = nil
        draft.segments[key] = segment
        draft.occupied[id] = .some(nil)
        if let file = old.file { draft.files.insert(file) }
        return key
    }

    private func stored(_ id: String, in draft: Draft) -> Occupied? { draft.occupied[id] ?? occupied[id] }

    /// Returns the first free place, so that the number of segments depends on the largest number of entries at one time.
    private func freePlace(for entry: Outbox.Entry, in draft: Draft) -> OutboxPlace {
        let partition = OutboxPlace.partition(of: entry.principal)
        let drafted = draft.segments.keys.filter { $0.partition == partition }.map(\.name)
        var last = lastNames[partition] ?? 0
        for name in drafted.sorted() {
            let key = RecordKey(partition: partition, name: name)
            if let place = draft.segments[key]?.freePlace { return OutboxPlace(key: key, frame: place) }
            last = max(last, name)
        }
        if let name = open[partition]?.subtracting(drafted).min() {
            let key = RecordKey(partition: partition, name: name)
            if let place = segments[key]?.freePlace { return OutboxPlace(key: key, frame: place) }
        }
        var key = RecordKey(partition: partition, name: last &+ 1)
        // A damaged folder may contain the highest name.
        while segments[key] != nil || draft.segments[key] != nil { key = key.next }
        return OutboxPlace(key: key, frame: 0)
    }

    /// Makes the changes of a draft part of the layout.
    mutating func commit(_ draft: Draft) {
        for (key, segment) in draft.segments { set(segment, key) }
        for (id, occupied) in draft.occupied { self.occupied[id] = occupied }
    }

    private mutating func set(_ segment: OutboxSegment, _ key: RecordKey) {
        segments[key] = segment.isEmpty ? nil : segment
        lastNames[key.partition] = max(lastNames[key.partition] ?? 0, key.name)
        if segment.isEmpty || segment.freePlace == nil {
            open[key.partition]?.remove(key.name)
        } else {
            open[key.partition, default: []].insert(key.name)
        }
    }

    /// Returns a draft without the frames and bytes that cannot be read.
    func draftWithoutDamage() -> Draft {
        var draft = Draft()
        let keys = Set(unusable.map(\.key)).union(segments.filter { $0.value.missing > 0 }.keys)
        for key in keys.sorted() {
            guard var segment = segments[key] else { continue }
            segment.discardDamage()
            for place in unusable where place.key == key { segment[place.frame] = nil }
            draft.segments[key] = segment
            finish(key, in: &draft)
        }
        return draft
    }

    mutating func forgetUnusable() { unusable = [] }

    /// True if entries were sealed with an earlier key.
    var hasFormerKeys: Bool { !formerlySealed.isEmpty }

    /// Returns a draft in which these entries are sealed with the current key, except those with a file in `files`.
    func draftWithPresentKey(except files: Set<String>) throws -> Draft {
        var draft = Draft()
        for (place, entry) in formerlySealed where !files.contains(entry.request.body.keptName ?? "") {
            var segment = draft.segments[place.key] ?? segments[place.key] ?? OutboxSegment()
            segment[place.frame] = try frame.encoded(entry, place)
            draft.segments[place.key] = segment
        }
        for key in draft.keys.sorted() { finish(key, in: &draft) }
        return draft
    }

    mutating func forgetFormerKeys() { formerlySealed = [:] }
}

extension RecordKey {
    fileprivate var next: RecordKey { RecordKey(partition: partition, name: name &+ 1) }
}
