import Dispatch
import Foundation
public import SiestaCore

/// A store that keeps decoded images in memory, up to a limit.
///
/// All ``RemoteImageModel``s with the same store share its images. If a hundred rows show the image at the same URL,
/// the image is loaded once, and decoded once for each size. Images are decoded on background threads, at most two at
/// once. The image that was requested last is decoded first. The store does not decode an image that no model needs any
/// longer.
///
/// If the limit is exceeded, the least recently used images are removed. The store references the resources of its
/// images, so that each image and the data of its resource stay in memory together. The cost of an image includes its
/// pixels, the bytes of its file, and 1 KiB for its resource.
@MainActor
public final class ImageStore<Decoder: ImageDecoding> {
    /// The decoder that converts the bytes of files to images.
    public let decoder: Decoder

    /// The maximum cost of all images, in bytes. The default is 64 MiB. An image whose cost exceeds the limit is shown,
    /// but not kept.
    public var costLimit: Int {
        get { images.limit }
        set { change { $0.limit = newValue } }
    }

    /// The memory that a resource needs without its data, in bytes.
    private static var resourceCost: Int { 1024 }

    private var images: CostLimitedCache<Key, Entry>
    private var queue = DecodeQueue<Job, Int>(width: 2)
    private var inputs: [Job: Data] = [:]
    private var users: [Int: Completion] = [:]
    private var lastUser = 0
    /// The number of wipes at the last removal of outdated images.
    private var wipeNumber = WipeCount.number
    private var counts = ImageStoreStatistics()

    /// Creates an empty store.
    ///
    /// On Apple platforms, the store removes its images when the system reports low memory. To make it do so on Linux,
    /// call ``removeAll(under:)`` once.
    public init(decoder: Decoder, costLimit: Int = 64 << 20) {
        self.decoder = decoder
        images = CostLimitedCache(limit: costLimit)
        if let pressure = MemoryPressure.automatic { removeAll(under: pressure) }
    }

    /// The number of images in memory.
    public var imageCount: Int { images.count }

    /// The cost of the images in memory, in bytes.
    public var cost: Int { images.cost }

    /// The counts of decoded images, and of images that were already in memory.
    package var statistics: ImageStoreStatistics {
        var result = counts
        (result.imageCount, result.cost, result.evictions) = (images.count, images.cost, images.evictionCount)
        return result
    }

    /// Removes all images. Views keep the images that they show.
    public func removeAll() {
        change { $0.removeAll() }
    }

    /// Removes all images whenever `pressure` signals low memory, until the store is released.
    public func removeAll(under pressure: MemoryPressure) {
        pressure.add(self)
    }

    // MARK: Looking up

    typealias Outcome = Result<DecodedImage<Decoder.Image>, RequestError>
    typealias Completion = (Outcome) -> Void

    fileprivate struct Key: Hashable, Sendable {
        let resource: Resource
        let size: PixelSize?
    }

    fileprivate struct Job: Hashable, Sendable {
        let key: Key
        let revision: UInt64
    }

    private struct Entry {
        let revision: UInt64
        let outcome: Outcome
    }

    /// Returns the image of the current data of a resource; nil if it must be decoded, or if there is no data.
    func outcome(for resource: Resource, fitting size: PixelSize?) -> Outcome? {
        let key = Key(resource: resource, size: size)
        if wipeNumber != WipeCount.number { removeOutdated() }  // For example, a user has signed out.
        guard let entry = images.value(for: key) else { return nil }
        guard entry.revision == resource.contentRevision else {
            change { $0.remove(key) }
            return nil
        }
        counts.hits += 1
        return entry.outcome
    }

    /// Forgets the image of a resource in one size, for example because it could not be decoded.
    func remove(_ resource: Resource, fitting size: PixelSize?) {
        change { $0.remove(Key(resource: resource, size: size)) }
    }

    /// Changes the images in memory. Those that leave are released afterwards: their release may run code of the app.
    private func change(_ body: (inout CostLimitedCache<Key, Entry>) -> Void) {
        body(&images)
        let removed = images.takeRemoved()
        withExtendedLifetime(removed) {}
    }

    /// Removes the images of data that is no longer there, for example because its user has signed out.
    func removeOutdated() {
        wipeNumber = WipeCount.number
        change { $0.removeAll { $0.resource.contentRevision != $1.revision } }
    }

    // MARK: Decoding

    /// A wish for an image. The model that has it passes it to ``ImageStore/cancel(_:)`` when it does not want the image
    /// any more.
    struct Ticket: Sendable {
        fileprivate let user: Int
        fileprivate let job: Job
    }

    /// Decodes the data of a resource, and then calls `completion` on the main actor. If the same data is being decoded
    /// already, waits for it.
    func decode(
        _ data: Data, of resource: Resource, fitting size: PixelSize?, completion: @escaping Completion
    ) -> Ticket {
        let job = Job(key: Key(resource: resource, size: size), revision: resource.contentRevision)
        lastUser += 1
        users[lastUser] = completion
        if queue.add(lastUser, to: job) { inputs[job] = data } else { counts.joins += 1 }
        beginJobs()
        return Ticket(user: lastUser, job: job)
    }

    /// Ends a wish.
    func cancel(_ ticket: Ticket) {
        users[ticket.user] = nil
        if queue.remove(ticket.user, from: ticket.job) { inputs[ticket.job] = nil }
    }

    private func beginJobs() {
        while let job = queue.begin() {
            guard let data = inputs.removeValue(forKey: job) else { continue }
            counts.decodes += 1
            let decoder = decoder
            DispatchQueue.global(qos: .userInitiated).async {
                let result = Result { try decoder.decode(data, fitting: job.key.size) }
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { self.end(job, with: result, byteCount: data.count) }
                }
            }
        }
    }

    private func end(_ job: Job, with result: Result<DecodedImage<Decoder.Image>, any Error>, byteCount: Int) {
        let outcome = result.mapError(RequestError.unreadableImage)
        if case .failure = outcome { counts.failures += 1 }
        if job.revision == job.key.resource.contentRevision {
            let (sum, overflow) = (byteCount + Self.resourceCost).addingReportingOverflow(
                (try? outcome.get().cost) ?? 0)
            let entry = Entry(revision: job.revision, outcome: outcome)
            change { $0.set(entry, for: job.key, cost: overflow ? .max : sum) }
        }
        for user in queue.end(job) { users.removeValue(forKey: user)?(outcome) }
        beginJobs()
    }
}

extension ImageStore: MemoryConsumer {
    package func releaseMemory() {
        removeAll()
    }
}

extension RequestError {
    /// The error of data that the decoder refuses. An error of this type is not changed.
    fileprivate static func unreadableImage(_ error: any Error) -> RequestError {
        error as? RequestError ?? notAnImage
    }
}
