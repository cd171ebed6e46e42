import CacheTorture
import Foundation
import HTTPRules
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCaches

/// The variants of one URL that a cache keeps side by side (RFC 9111 §4.1).
@Suite(.timeLimit(.test))
struct VariantTests {
    private let store = RecordingStore()
    private var storage: CacheStorage { CacheStorage(store) }

    private func key(_ language: String?, of principal: String = "") -> CacheKey {
        CacheKey(
            principal: principal, address: "http://a.test/x", coding: .data,
            requestHeaders: language.map { ["Accept-Language": $0] } ?? [:])
    }

    private func entity(
        _ text: String, vary: String? = "Accept-Language", at timestamp: TimeInterval = 1000
    ) -> Entity<Any> {
        var headers = ["ETag": "\"\(text)\""]
        headers["Vary"] = vary
        return Entity<Any>(content: Data(text.utf8), headers: headers, timestamp: timestamp)
    }

    private func error(_ status: Int, vary: String? = nil) -> Entity<Any> {
        var error = Entity<Any>(content: ErrorBody(Data("error \(status)".utf8)), headers: [:], timestamp: 1000)
        error.headers["Vary"] = vary
        error.setOrigin(status: status, nil)
        return error
    }

    private func text(_ storage: CacheStorage, _ key: CacheKey) async -> String? {
        let found = await storage.entity(forKey: key)
        let bytes = found?.content as? Data ?? (found?.content as? ErrorBody)?.bytes
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private func timestamp(_ storage: CacheStorage, _ key: CacheKey) async -> TimeInterval? {
        await storage.entity(forKey: key)?.timestamp
    }

    @Test(arguments: [false, true])
    func `Each request finds its own variant`(isFlushed: Bool) async throws {
        let storage = storage
        if !isFlushed { store.hold() }
        for language in ["de", "en", "fr", "en-GB"] {
            storage.write(entity(language), forKey: key(language))
            if isFlushed { try await storage.flush() }
        }
        for language in ["de", "en", "fr", "en-GB"] { #expect(await text(storage, key(language)) == language) }
        #expect(await text(storage, key("it")) == nil)
        #expect(await text(storage, key(nil)) == nil)
        store.release()
        try await storage.flush()
        for language in ["de", "en", "fr", "en-GB"] { #expect(await text(storage, key(language)) == language) }
        let again = CacheStorage(store)
        for language in ["de", "en", "fr", "en-GB"] { #expect(await text(again, key(language)) == language) }
    }

    @Test(arguments: [false, true])
    func `A new response replaces its own variant only`(isFlushed: Bool) async throws {
        let storage = storage
        for language in ["de", "en"] { storage.write(entity(language), forKey: key(language)) }
        if isFlushed { try await storage.flush() }
        for language in ["en", "de"] {
            var new = entity("new " + language)
            new.headers["Cache-Control"] = "max-age=1"
            storage.write(new, forKey: key(language))
            if isFlushed { try await storage.flush() }
        }
        try await storage.flush()
        for language in ["de", "en"] { #expect(await text(storage, key(language)) == "new " + language) }
        #expect(try await store.allKeys().count == 2)
    }

    @Test func `The number of variants is bounded`() async throws {
        let storage = storage
        for number in 0..<100 {
            storage.write(entity("\(number)"), forKey: key("l\(number)"))
            try await storage.flush()
        }
        #expect(try await store.allKeys().count == 9)
        #expect(await text(storage, key("l99")) == "99")
    }

    @Test(arguments: [false, true])
    func `A removal removes all variants, and later writes do not bring them back`(isFlushed: Bool) async throws {
        let storage = storage
        for language in ["de", "en", "fr"] { storage.write(entity(language), forKey: key(language)) }
        if isFlushed { try await storage.flush() }
        storage.remove(key("it"))
        storage.write(entity("de"), forKey: key("de"))
        #expect(await text(storage, key("de")) == "de")
        for language in ["en", "fr"] { #expect(await text(storage, key(language)) == nil) }
        try await storage.flush()
        #expect(try await store.allKeys().count == 1)
    }

    @Test func `A response without a header to vary by, or with another Vary, takes the first place`() async throws {
        let storage = storage
        for language in ["de", "en"] { storage.write(entity(language), forKey: key(language)) }
        try await storage.flush()
        storage.write(entity("everybody's", vary: nil), forKey: key("fr"))
        try await storage.flush()
        for language in ["de", "en", nil] { #expect(await text(storage, key(language)) == "everybody's") }
        storage.write(entity("de", vary: "Accept-Language, Accept"), forKey: key("de"))
        try await storage.flush()
        #expect(await text(storage, key("de")) == "de")
        #expect(await text(storage, key("it")) == nil)
    }

    @Test(arguments: 0...4)
    func `A response is not found after a newer one of its variant, or, if it has no Vary, after one with Vary`(
        flushedCount: Int
    ) async throws {
        let kinds: [(language: String?, vary: String?)] = [
            ("fr", nil), ("de", "Accept-Language"), ("en", "accept-language"), ("de", "Accept, Accept-Language"),
        ]
        // At the lowest level a fifth of the sequences, another one each day.
        let step = TestLevel.count(5, nightly: 1)
        for number in stride(from: Int(TestSeed.current) % step, to: 256, by: step) {
            let (store, sequence) = (RecordingStore(), (0..<4).map { kinds[number >> ($0 * 2) & 3] })
            let storage = CacheStorage(store)
            for (index, kind) in sequence.enumerated() {
                if index == flushedCount { store.hold() }
                storage.write(entity("\(index)", vary: kind.vary, at: Double(index)), forKey: key(kind.language))
                if index < flushedCount { try await storage.flush() }
            }
            for isReleased in [false, true] {
                if isReleased {
                    store.release()
                    try await storage.flush()
                }
                #expect(await text(storage, key(sequence[3].language)) == "3", "\(sequence)")
                for language in ["de", "en", "fr", nil] {
                    guard let found = await text(storage, key(language)).flatMap({ Int($0) }) else { continue }
                    let later = sequence[(found + 1)...]
                    let isOutdated = later.contains { sequence[found].vary == nil || $0 == sequence[found] }
                    #expect(!isOutdated, "\(language ?? "none") finds \(found) in \(sequence)")
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `A confirmation concerns the variant of its request`(isFlushed: Bool) async throws {
        let storage = storage
        for language in ["de", "en", "fr"] { storage.write(entity(language), forKey: key(language)) }
        if isFlushed { try await storage.flush() }
        storage.updateTimestamp(2000, of: entity("en").validator, forKey: key("en"))
        if isFlushed { try await storage.flush() }
        storage.updateTimestamp(3000, of: entity("de").validator, forKey: key("fr"))  // Not the variant that it has.
        #expect(await timestamp(storage, key("en")) == 2000)
        try await storage.flush()
        #expect(await timestamp(storage, key("en")) == 2000)
        #expect(await timestamp(storage, key("de")) == 1000)
        #expect(await timestamp(storage, key("fr")) == 1000)
    }

    @Test func `Confirmations of several variants that wait for the store all take effect`() async throws {
        let storage = storage
        let languages = ["de", "en", "fr"]
        for language in languages { storage.write(entity(language), forKey: key(language)) }
        try await storage.flush()
        store.hold()
        storage.write(entity("other"), forKey: key("other"))  // The changes after it wait.
        await store.journal.wait(for: "held 1")
        for language in languages {
            storage.updateTimestamp(2000, of: entity(language).validator, forKey: key(language))
        }
        storage.updateTimestamp(3000, ["x": "new"], of: entity("en").validator, forKey: key("en"))
        let expected: [TimeInterval?] = [2000, 3000, 2000]
        for isReleased in [false, true] {
            if isReleased {
                store.release()
                try await storage.flush()
            }
            for (language, time) in zip(languages, expected) {
                #expect(await timestamp(storage, key(language)) == time, "\(language), \(isReleased)")
            }
        }
    }

    /// The states in which the changes of a sequence can be when a read begins: the first are stored, the next is in
    /// flight, and the others are pending.
    private nonisolated static let stages = (0...3).flatMap { stored in
        (0...(stored == 3 ? 0 : 1)).map { (stored: stored, inFlight: $0) }
    }

    @Test(
        arguments: stages,
        [(nil, "Accept-Language"), ("Accept", "Accept-Language, Accept"), ("Accept", "Accept-Language")])
    func `A confirmation that adds a Vary counts for all reads that begin later`(
        _ stage: (stored: Int, inFlight: Int), _ vary: (old: String?, new: String)
    ) async throws {
        let storage = storage
        let old = entity("x", vary: vary.old)
        let changes = [
            { storage.write(old, forKey: key("en")) },
            { storage.updateTimestamp(2000, ["vary": vary.new], of: old.validator, forKey: key("de")) },
            { storage.updateTimestamp(3000, of: old.validator, forKey: key("de")) },
        ]
        for change in changes[..<stage.stored] {
            change()
            try await storage.flush()
        }
        store.hold()
        let end = stage.stored + stage.inFlight
        for change in changes[stage.stored..<end] { change() }
        if stage.inFlight > 0 { await store.journal.wait { $0.contains { $0.hasPrefix("held") } } }
        for change in changes[end...] { change() }
        for isReleased in [false, true] {
            if isReleased {
                store.release()
                try await storage.flush()
            }
            #expect(await timestamp(storage, key("de")) == 3000)
            for language in ["en", "fr", nil] { #expect(await text(storage, key(language)) == nil) }
        }
    }

    @Test(arguments: [false, true])
    func `After a confirmation whose Vary matches no request, no read finds the entity`(isFlushed: Bool) async throws {
        let storage = storage
        storage.write(entity("x", vary: nil), forKey: key("de"))
        if isFlushed { try await storage.flush() } else { store.hold() }
        storage.updateTimestamp(2000, ["vary": "*"], of: entity("x").validator, forKey: key("de"))
        for language in ["de", "en", nil] { #expect(await text(storage, key(language)) == nil) }
        store.release()
        try await storage.flush()
        for language in ["de", "en", nil] { #expect(await text(storage, key(language)) == nil) }
    }

    @Test func `After a confirmation whose Vary names headers that the request lacks, a waiting variant is stored`()
        async throws
    {
        func key(_ headers: [String: String], _ address: String = "http://a.test/x") -> CacheKey {
            CacheKey(principal: "", address: address, coding: .data, requestHeaders: headers)
        }
        let storage = storage
        storage.write(entity("foo", vary: "X-Foo"), forKey: key(["X-Foo": "1"]))
        try await storage.flush()
        store.hold()
        storage.write(entity("other", vary: nil), forKey: key([:], "http://a.test/y"))  // The changes after it wait.
        await store.journal.wait(for: "held 1")
        storage.write(entity("en"), forKey: key(["Accept-Language": "en"]))
        storage.updateTimestamp(
            2000, ["vary": "X-Foo"], of: entity("en").validator, forKey: key(["Accept-Language": "en"]))
        store.release()
        try await storage.flush()
        #expect(await text(storage, key(["Accept-Language": "en"])) == "en")
        #expect(await timestamp(storage, key(["Accept-Language": "en"])) == 2000)
    }

    @Test(arguments: ["de,en;q=0.5", " de , en ; q=0.5", "DE,EN;Q=0.5", "de, ,en;q=0.5"])
    func `Differences without a meaning select the same variant`(value: String) async throws {
        let storage = storage
        storage.write(entity("de"), forKey: key("de, en;q=0.5"))
        try await storage.flush()
        #expect(await text(storage, key(value)) == "de")
        #expect(await text(storage, key("en;q=0.5, de")) == nil)
    }

    @Test func `A variant of version 1 is found, whatever the form of its value`() async throws {
        let key = key("de, en;q=0.5")
        var record = CacheRecord(
            address: key.address, coding: "data", timestamp: 1000, headers: ["vary": "Accept-Language"],
            content: Data("old".utf8))
        record.variant = SelectingHeaders.earlierVariant(
            namedBy: "Accept-Language", in: key.requestHeaders, of: "", at: key.address)
        #expect(record.variant != key.variant(namedBy: "Accept-Language"))
        try await store.apply([.write(key.storeKey, record.encoded())])
        #expect(await text(storage, key) == "old")
        #expect(await text(storage, self.key("de")) == nil)
    }

    @Test func `A Vary with 10 000 names matches no request`() async throws {
        let storage = storage
        let vary = (0..<10_000).map { "a\($0)" }.joined(separator: ", ")
        storage.write(entity("x", vary: vary), forKey: key(nil))
        try await storage.flush()
        #expect(await text(storage, key(nil)) == nil)
    }

    // MARK: Errors

    @Test(arguments: [false, true])
    func `The error of a server does not replace a success, and another error does`(isFlushed: Bool) async throws {
        for vary in [nil, "Accept-Language"] {
            let storage = storage
            storage.write(entity("good", vary: vary), forKey: key("de"))
            if isFlushed { try await storage.flush() }
            for status in [500, 503] {
                storage.write(error(status), forKey: key("de"))
                #expect(await text(storage, key("de")) == "good")
                try await storage.flush()
                #expect(await text(storage, key("de")) == "good")
            }
            storage.write(error(404), forKey: key("de"))
            #expect(await text(storage, key("de")) == "error 404")
            try await storage.flush()
            #expect(await text(storage, key("de")) == "error 404")
            storage.write(error(503), forKey: key("de"))
            try await storage.flush()
            #expect(await text(storage, key("de")) == "error 503")
            storage.write(entity("again", vary: vary), forKey: key("de"))
            try await storage.flush()
            #expect(await text(storage, key("de")) == "again")
            try await storage.clear()
        }
    }

    @Test func `A confirmation does not concern an error`() async throws {
        let storage = storage
        storage.write(error(404), forKey: key("de"))
        storage.updateTimestamp(2000, forKey: key("de"))
        try await storage.flush()
        storage.updateTimestamp(2000, forKey: key("de"))
        try await storage.flush()
        #expect(await timestamp(storage, key("de")) == 1000)
    }

    // MARK: Origins

    @Test(arguments: [false, true])
    func `The entries of an origin are removed, and those of other origins and later ones stay`(
        isFlushed: Bool
    ) async throws {
        func key(_ address: String, _ principal: String = "") -> CacheKey {
            CacheKey(principal: principal, address: address, coding: .data, requestHeaders: ["Accept-Language": "de"])
        }
        let storage = storage
        let inside = [key("http://a.test/1"), key("HTTP://A.test:80/2?x#y", "ada"), key("http://a.test")]
        let outside = [
            key("http://a.test:8080/1"), key("https://a.test/1"), key("http://b.test/http://a.test/"),
            key("http://a.test.b/1", "ada"),
        ]
        for key in inside + outside { storage.write(entity(key.address), forKey: key) }
        for number in 0..<200 { storage.write(entity("x"), forKey: key("http://a.test/many/\(number)")) }
        if isFlushed { try await storage.flush() }
        let foreign = RecordKey(partition: 1, name: 2)
        try await store.apply([.write(foreign, Data("SiX\u{1}sealed with another key".utf8))])

        storage.removeAll(ofOrigin: URLOrigin(text: "http://a.test"))
        for key in inside { #expect(await text(storage, key) == nil) }
        for key in outside { #expect(await text(storage, key) == key.address) }
        storage.write(entity("later"), forKey: inside[0])
        try await storage.flush()
        #expect(await text(storage, inside[0]) == "later")
        for key in inside[1...] { #expect(await text(storage, key) == nil) }
        for key in outside { #expect(await text(storage, key) == key.address) }
        #expect(Set(try await store.allKeys()).count == outside.count + 2)
        #expect(try await store.allKeys().contains(foreign))
    }

    @Test func `The removal of an origin that has failed hides the entries, and is tried again`() async throws {
        let storage = storage
        storage.write(entity("de"), forKey: key("de"))
        try await storage.flush()
        store.fail()
        storage.removeAll(ofOrigin: URLOrigin(text: "http://a.test"))
        try? await storage.flush()
        #expect(await text(storage, key("de")) == nil)
        store.fail(false)
        #expect(await text(storage, key("de")) == nil)
        try? await storage.flush()
        try await storage.flush()
        #expect(await text(storage, key("de")) == nil)
        #expect(try await store.allKeys().isEmpty)
    }

    // MARK: Shared places

    @Test func `Two storages in one folder see each other's variants, confirmations and removals`() async throws {
        let folder = try TestFolder()
        let place = SharedPlace(
            CacheStorage(FileRecordStore(folder: folder.url)), CacheStorage(FileRecordStore(folder: folder.url)))
        #expect(try await place.violations() == [])
    }

    @Test func `A process sees the variants and confirmations of another process`() async throws {
        let folder = try TestFolder()
        let path = folder.path
        let storage = CacheStorage(FileRecordStore(folder: folder.url))
        let violations = try await SharedPlace(storage, storage).violations(afterChange: {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let folder = URL(fileURLWithPath: path)
                try await SharedPlace.change(CacheStorage(FileRecordStore(folder: folder)))
            }
        })
        #expect(violations == [])
    }

    @Test func `A variant in its second place is found although the first has no record any more`() async throws {
        let storage = storage
        func places(_ language: String) -> [CacheKey] { key(language).places(namedBy: "Accept-Language") }
        let other = try #require(
            (1...999).map { "x-\($0)" }.first { places($0).first?.slot == places("en").first?.slot })
        for language in ["de", "en", other] {
            storage.write(entity(language), forKey: key(language))
            try await storage.flush()
        }
        try await store.apply([.remove(places("en")[0].storeKey)])
        #expect(await text(storage, key(other)) == other)
        #expect(await text(storage, key("en")) == nil)
    }

    @Test func `A variant that a failed write should have removed from its place does not come back`() async throws {
        let storage = storage
        for language in ["de", "en"] {
            storage.write(entity(language), forKey: key(language))
            try await storage.flush()
        }
        try await store.apply([.remove(key("de").at(slot: 0).storeKey)])
        store.fail(.changes)
        storage.write(entity("new"), forKey: key("en"))
        try? await storage.flush()
        store.fail(.nothing)
        storage.write(entity("de"), forKey: key("de"))
        try? await storage.flush()
        #expect(await text(storage, key("de")) == "de")
        #expect(await text(storage, key("en")) == nil)
    }

    @Test func `The error of a server does not replace a success that is beside the error of another variant`()
        async throws
    {
        let storage = storage
        storage.write(error(404, vary: "Accept-Language"), forKey: key("de"))
        try await storage.flush()
        storage.write(entity("en"), forKey: key("en"))
        try await storage.flush()
        storage.write(error(503, vary: "Accept-Language"), forKey: key("en"))
        try await storage.flush()
        #expect(await text(storage, key("en")) == "en")
    }

    @Test func `The removal of an origin also removes what another version of the app has stored`() async throws {
        let earlier = CacheStorage(store, options: EntityCacheOptions(schemaVersion: 1))
        earlier.write(entity("de"), forKey: key("de"))
        try await earlier.flush()
        let storage = CacheStorage(store, options: EntityCacheOptions(schemaVersion: 2))
        storage.removeAll(ofOrigin: URLOrigin(text: "http://a.test"))
        try await storage.flush()
        #expect(try await store.allKeys().isEmpty)
    }
}
