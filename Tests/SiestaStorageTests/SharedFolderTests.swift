import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCaches

/// A cache whose folder, or a folder above it, other users can write to.
@Suite(.timeLimit(.model))
struct SharedFolderTests {
    private let folder: TestFolder
    private let cache: URL
    private let intruder: Intruder
    private let entity = Entity<Any>(content: Data("content".utf8), headers: [:], timestamp: 5)

    init() throws {
        folder = try TestFolder()
        cache = folder.url.appendingPathComponent("cache")
        intruder = try Intruder(in: folder.url, files: [Self.key("a").storeKey.name.hexadecimal])
    }

    private var root: String { cache.path + "/entities-1" }
    private var partition: String { root + "/" + Self.key("a").storeKey.partition.hexadecimal }
    private var file: String { partition + "/" + Self.key("a").storeKey.name.hexadecimal }

    private static func key(_ address: String) -> CacheKey {
        CacheKey(principal: "ada", address: address, coding: .data)
    }

    private func storage(at url: URL? = nil, _ configure: (inout EntityCacheOptions) -> Void = { _ in })
        -> CacheStorage
    {
        var options = EntityCacheOptions()
        configure(&options)
        let store = FileRecordStore(
            folder: url ?? cache, limits: options.storeLimits, durability: options.durability,
            isReadOnly: options.isReadOnly)
        return CacheStorage(store, options: options)
    }

    private func read(_ storage: CacheStorage, _ address: String = "a") async -> String? {
        let found = await storage.entity(forKey: Self.key(address))
        return (found?.content as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Fills the cache, and returns its storage.
    @discardableResult
    private func fill(_ names: [String] = ["a"]) async throws -> CacheStorage {
        let storage = storage()
        for name in names { storage.write(entity, forKey: Self.key(name)) }
        try await storage.flush()
        return storage
    }

    /// Calls all functions of the cache.
    private func useAll(_ storage: CacheStorage) async {
        _ = await read(storage)
        for name in ["a", "b", "c"] { storage.write(entity, forKey: Self.key(name)) }
        try? await storage.flush()
        storage.remove(Self.key("a"))
        _ = await storage.statistics()
        try? await storage.compact()
        try? await storage.remove(principal: "ada")
        try? await storage.clear()
    }

    // MARK: Folders

    /// A reason why a folder must not be used.
    enum Defect: CaseIterable {
        case owner, groupCanWrite, othersCanWrite, sticky, link, linkWithSlash

        /// Changes the folder at a path so that it has this defect.
        func apply(to path: String) throws {
            switch self {
            case .owner: Intruder.giveAway(path)
            case .groupCanWrite: chmod(path, 0o770)
            case .othersCanWrite: chmod(path, 0o707)
            case .sticky: chmod(path, 0o1777)
            case .link, .linkWithSlash:
                try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
                symlink(path + "-moved", path)
            }
        }

        var remedy: String {
            switch self {
            case .owner: "change the owner"
            case .groupCanWrite, .othersCanWrite, .sticky: "chmod go-w"
            case .link, .linkWithSlash: "symbolic link"
            }
        }
    }

    @Test(arguments: Defect.allCases, [false, true])
    func `A folder that others own or can change is refused, and the error names it and the remedy`(
        defect: Defect, isRoot: Bool
    ) async throws {
        guard defect != .owner || Intruder.canGiveAway else { return }
        try await fill()
        try defect.apply(to: isRoot ? root : cache.path)
        let url = defect == .linkWithSlash ? URL(fileURLWithPath: cache.path + "/./", isDirectory: true) : cache
        let storage = storage(at: url)
        #expect(await read(storage) == nil)
        storage.write(entity, forKey: Self.key("b"))
        let failures = await [
            failure { try await storage.flush() }, failure { try await storage.clear() },
            failure { try await storage.compact() }, failure { try await storage.remove(principal: "ada") },
        ]
        for error in failures {
            #expect(error?.path == (isRoot ? root : cache.path))
            #expect(error?.localizedDescription.contains(cache.path) == true)
            #expect(error?.localizedDescription.contains(defect.remedy) == true)
        }
        #expect(await storage.statistics().failures > 0)
        #expect(await storage.statistics().lastFailure?.contains(cache.path) == true)
        #expect(await storage.statistics().usage == nil)
        // A flush before any other use reports the error, too.
        #expect(await failure { try await self.storage(at: url).flush() } != nil)
    }

    private func failure(_ work: () async throws -> Void) async -> FileSystemError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? FileSystemError
        }
    }

    @Test func `A folder that others can change by now is refused, though it was in use before`() async throws {
        for path in [root, cache.path] {
            let storage = try await fill()
            #expect(await read(storage) == "content")
            chmod(path, 0o777)
            #expect(await read(storage) == nil)
            storage.write(entity, forKey: Self.key("b"))
            await #expect(throws: FileSystemError.self) { try await storage.flush() }
            chmod(path, 0o700)
            #expect(await read(storage) == "content")
        }
    }

    @Test func `A folder of one's own in one that all can write to is used, and is for the user alone`() async throws {
        chmod(folder.path, 0o1777)
        #expect(await read(try await fill()) == "content")
        for path in [cache.path, root, partition] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
    }

    @Test
    func `Links on the way are followed if they are the user's own, and not if they are another's`() async throws {
        try await fill()
        let link = folder.path + "/way"
        symlink(".", link)
        let url = URL(fileURLWithPath: link + "/cache")
        #expect(await read(storage(at: url)) == "content")
        guard Intruder.canGiveAway else { return }
        Intruder.giveAway(link)
        let storage = storage(at: url)
        #expect(await read(storage) == nil)
        let error = await failure { try await storage.clear() }
        #expect(error?.path == link)
        #expect(await read(self.storage()) == "content")
    }

    @Test func `A link of another user behind a link of one's own is not followed`() async throws {
        guard Intruder.canGiveAway else { return }
        try await fill()
        symlink(folder.path, folder.path + "/theirs")
        Intruder.giveAway(folder.path + "/theirs")
        symlink("theirs", folder.path + "/mine")
        let storage = storage(at: URL(fileURLWithPath: folder.path + "/mine/cache"))
        #expect(await read(storage) == nil)
        #expect(await failure { try await storage.compact() }?.path == folder.path + "/theirs")
    }

    @Test func `A way that leads in circles is an error`() async throws {
        symlink("circle", folder.path + "/circle")
        let storage = storage(at: URL(fileURLWithPath: folder.path + "/circle/cache"))
        #expect(await failure { try await storage.clear() }?.code == ELOOP)
    }

    // MARK: Within the folder

    @Test
    func `A link in the place of a partition is not followed by anything, and goes with its principal`() async throws {
        try await fill()
        try intruder.plantLink(at: partition)
        let storage = storage { $0.entryLimit = 1 }
        #expect(await read(storage) == nil)
        storage.write(entity, forKey: Self.key("a"))
        #expect(await failure { try await storage.flush() }?.path == partition)
        await useAll(storage)
        #expect(intruder.isVictimUnharmed)
        try await storage.remove(principal: "ada")
        try? await storage.flush()  // throws the earlier failure again
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["new"])
        storage.write(entity, forKey: Self.key("a"))
        try await storage.flush()
        #expect(await read(storage) == "content")
    }

    @Test func `Links among what was left behind are removed, and their targets stay`() async throws {
        try await fill()
        let left = root + "/new/removed-2"
        try FileManager.default.createDirectory(atPath: left + "/below", withIntermediateDirectories: true)
        for path in [root + "/new/removed-x", root + "/new/old", left + "/link", left + "/below/link"] {
            try intruder.plantLink(at: path)
        }
        try intruder.plantLink(at: root + "/new/removed-file", to: "old")
        let storage = storage()
        try await storage.compact()
        #expect(intruder.isVictimUnharmed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/new") == ["old"])  // the folder is new
        await useAll(storage)
        #expect(intruder.isVictimUnharmed)
    }

    @Test func `Folders that are too deep to be removed do no harm`() async throws {
        try await fill()
        var path = root + "/new/removed-3"
        for _ in 0..<200 { path += "/d" }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let storage = storage()
        try await storage.compact()
        #expect(await read(storage) == "content")
    }

    @Test func `A link in the place of the folder for new files is not followed, and nothing is written through it`()
        async throws
    {
        try await fill()
        try intruder.plantLink(at: root + "/new")
        let storage = storage()
        storage.write(entity, forKey: Self.key("b"))
        #expect(await failure { try await storage.flush() }?.path == root + "/new")
        try await storage.clear()
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["new"])
        await useAll(storage)
        #expect(intruder.isVictimUnharmed)
    }

    /// A kind of file in the place of a record, with the content of a valid record.
    enum Plant: CaseIterable {
        case owner, secondName, groupCanWrite, link, partitionOfOther, partitionForAll
    }

    @Test(arguments: Plant.allCases)
    func `A record that others can have planted is a miss, and is replaced as any other`(plant: Plant) async throws {
        let storage = try await fill()
        #expect(await read(storage) == "content")
        switch plant {
        case .owner: Intruder.giveAway(file)
        case .secondName: link(file, folder.path + "/second")
        case .groupCanWrite: chmod(file, 0o620)
        case .link:
            try FileManager.default.moveItem(atPath: file, toPath: folder.path + "/moved")
            symlink(folder.path + "/moved", file)
        case .partitionOfOther: Intruder.giveAway(partition)
        case .partitionForAll: chmod(partition, 0o777)
        }
        guard Intruder.canGiveAway || plant != .owner && plant != .partitionOfOther else { return }
        #expect(await read(storage) == nil)
        #expect(await read(self.storage()) == nil)
        if plant == .partitionOfOther || plant == .partitionForAll { try await storage.clear() }
        storage.write(entity, forKey: Self.key("a"))
        try await storage.flush()
        #expect(await read(self.storage()) == "content")
        if plant == .secondName { #expect(FileManager.default.fileExists(atPath: folder.path + "/second")) }
    }

    // MARK: Between two operations

    @Test func `A folder that becomes a link between two operations is not followed`() async throws {
        for path in [partition, root + "/new", root, cache.path] {
            let storage = try await fill(["a", "b"])
            #expect(await read(storage) == "content")
            try intruder.plantLink(at: path)
            await useAll(storage)
            #expect(intruder.isVictimUnharmed, "\(path)")
            try FileManager.default.removeItem(at: cache)
        }
    }

    @Test func `A folder that another process has made anew is the one that is used from then on`() async throws {
        for path in [partition, root, cache.path] {
            let storage = try await fill(["a"])
            #expect(await read(storage) == "content")
            try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/aside")
            try await fill(["b"])
            #expect(await read(storage) == nil)
            #expect(await read(storage, "b") == "content")
            storage.write(entity, forKey: Self.key("c"))
            try await storage.flush()
            #expect(await read(self.storage(), "c") == "content")
            try FileManager.default.removeItem(atPath: folder.path + "/aside")
            try FileManager.default.removeItem(at: cache)
        }
    }

    @Test func `However often a folder and a link change places, nothing outside is touched`() async throws {
        let storage = try await fill(["a", "b"])
        let (partition, aside, isOver) = (partition, partition + "-aside", Locked(false))
        let victim = intruder.victim.path
        let swapping = Task.detached {
            while !isOver.withLock({ $0 }) {
                symlink(victim, aside)
                for (from, to) in [(partition, "-1"), (aside, ""), (partition + "-1", "-aside")] {
                    rename(from, partition + to)
                }
                await Task.yield()
            }
        }
        for _ in 0..<TestLevel.count(20, nightly: 100) { await useAll(storage) }
        isOver.withLock { $0 = true }
        await swapping.value
        #expect(intruder.isVictimUnharmed)
    }
}
