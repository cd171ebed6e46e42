public import Foundation
public import SiestaCaches
import SiestaCore

/// Damages the files of a store in many ways, and checks that every read finds the written entity or nothing.
public struct DamagedStore: Sendable {
    /// Opens the store in a folder.
    public typealias Opener = @Sendable (URL) -> CacheStorage

    private let folder: URL
    private let opener: Opener
    private let count = 24

    /// Creates a test in a folder, which must be empty.
    public init(in folder: URL, opener: @escaping Opener) {
        self.folder = folder
        self.opener = opener
    }

    private var original: URL { folder.appendingPathComponent("original") }
    private func copy(_ number: Int) -> URL { folder.appendingPathComponent("copy-\(number)") }

    /// The result of a run.
    public struct Result: Sendable {
        /// The number of reads that found the written entity.
        public var hits = 0
        /// The number of reads that found nothing.
        public var misses = 0
        /// The number of damaged stores that did not keep an entity that was written after the damage.
        public var unwritable = 0
        /// The reads that found another entity, each with the number of the mutation.
        public var wrong: [String] = []
    }

    /// Damages `mutations` fresh copies of the store. Reads all entities of each copy, writes a new entity, and reads
    /// it.
    public func run(mutations: Int, seed: UInt64) async throws -> Result {
        let storage = opener(original)
        try await fill(storage)
        var result = Result()
        for number in 0..<mutations {
            let copy = copy(number)
            try FileManager.default.copyItem(at: original, to: copy)
            try Mutation(seed: mixed(seed, UInt64(number))).damage(copy)
            await check(number, &result)
            try? FileManager.default.removeItem(at: copy)
        }
        return withExtendedLifetime(storage) { result }  // keeps its files in the state of a store in use
    }

    private func fill(_ storage: CacheStorage) async throws {
        try FileManager.default.createDirectory(at: original, withIntermediateDirectories: true)
        for number in 0..<count {
            storage.write(entity(number), forKey: key(number))
            if number == count / 2 { try await storage.compact() }
        }
        try await storage.flush()
    }

    private func check(_ mutation: Int, _ result: inout Result) async {
        let storage = opener(copy(mutation))
        for number in 0..<count {
            guard let found = await read(storage, number) else { result.misses += 1; continue }
            result.hits += 1
            let expected = entity(number)
            let isRight =
                found.content as? Data == expected.content as? Data && found.headers == expected.headers
                && found.timestamp == expected.timestamp
            if !isRight { result.wrong.append("mutation \(mutation): entity \(number) is another") }
        }
        // The app continues to use the store: an entity that is written now must be found, by the next instance as
        // well.
        storage.write(entity(count), forKey: key(count))
        _ = await storage.statistics()
        let found = await read(opener(copy(mutation)), count)
        if found == nil { result.unwritable += 1 }
        if let found, found.content as? Data != entity(count).content as? Data {
            result.wrong.append("mutation \(mutation): what was written afterwards is another")
        }
        if mutation % 10 == 0 { try? await storage.compact() }
    }

    private func read(_ storage: CacheStorage, _ number: Int) async -> Entity<Any>? {
        await storage.entity(forKey: key(number))
    }

    private func key(_ number: Int) -> CacheKey {
        CacheKey(
            principal: number % 2 == 0 ? "" : "ada", address: "http://damage.test/\(number)", coding: .data)
    }

    private func entity(_ number: Int) -> Entity<Any> {
        let content = Data((0..<(number * 40)).map { UInt8(truncatingIfNeeded: $0 &+ number) })
        return Entity<Any>(content: content, headers: ["etag": "\(number)"], timestamp: TimeInterval(number))
    }
}

/// One kind of damage to a file.
private struct Mutation {
    let seed: UInt64

    private func number(_ index: UInt64, below limit: Int) -> Int { Int(mixed(seed, index) % UInt64(max(limit, 1))) }

    func damage(_ folder: URL) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        let files = names.map { folder.appendingPathComponent($0) }.filter { !$0.hasDirectoryPath && isFile($0) }
        guard !files.isEmpty else { return }
        let file = files[number(0, below: files.count)]
        let data = try Data(contentsOf: file)
        switch number(1, below: 10) {
        case 0: try data.prefix(number(2, below: data.count)).write(to: file)
        case 1: try (data + noise(64)).write(to: file)
        case 2: try Data().write(to: file)
        case 3: try noise(number(2, below: 2000)).write(to: file)
        case 4: try Data(contentsOf: files[number(2, below: files.count)]).write(to: file)
        case 5: try FileManager.default.removeItem(at: file)
        case 6: try replaced(data, at: number(2, below: data.count), with: Data(count: 512)).write(to: file)
        case 7: try replaced(data, at: number(2, below: data.count), with: noise(16)).write(to: file)
        case 8: try (noise(1) + data).write(to: file)
        default: try flipped(data).write(to: file)
        }
    }

    private func isFile(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false
    }

    private func noise(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: mixed(seed, UInt64(1000 + $0))) })
    }

    private func replaced(_ data: Data, at start: Int, with bytes: Data) -> Data {
        data.prefix(start) + bytes.prefix(data.count - start) + data.dropFirst(start + bytes.count)
    }

    private func flipped(_ data: Data) -> Data {
        guard !data.isEmpty else { return data }
        var data = data
        for index in 0..<UInt64(1 + number(3, below: 4)) {
            data[number(10 + index, below: data.count)] ^= 1 << UInt8(number(20 + index, below: 8))
        }
        return data
    }
}
