import Foundation
package import SiestaCaches
import SiestaCore

/// Two storages at one place, as two processes have them. Checks what each sees of the other's changes.
package struct SharedPlace: Sendable {
    private let first: CacheStorage
    private let second: CacheStorage
    private static let address = "http://shared.test/x"

    package init(_ first: CacheStorage, _ second: CacheStorage) {
        (self.first, self.second) = (first, second)
    }

    /// Returns the violated rules; empty if there are none.
    package func violations() async throws -> [String] {
        var broken: [String] = []
        func require(_ isTrue: Bool, _ rule: String) { if !isTrue { broken.append(rule) } }

        for language in ["de", "en", "fr"] {
            first.write(Self.entity(language), forKey: Self.key(language))
            try await first.flush()
        }
        for language in ["de", "en", "fr"] {
            require(await text(second, language) == language, "The other process reads the variant \(language)")
        }
        require(await text(second, "it") == nil, "No request finds another variant")

        let confirmation = CachingInfo(requestTime: 2000, responseTime: 2001, redirectLimit: 7)
        second.updateTimestamp(
            2001, ["x": "new"], confirmation, of: Self.entity("en").validator, forKey: Self.key("en"))
        try await second.flush()
        let confirmed = await read(first, "en")
        require(confirmed?.timestamp == 2001, "A confirmation sets the timestamp for the other process")
        require(confirmed?.header(forKey: "X") == "new", "A confirmation sets headers for the other process")
        require(confirmed?.cachingInfo?.responseTime == 2001, "A confirmation sets the time of the response")
        require(confirmed?.cachingInfo?.requestTime == 2000, "A confirmation sets the time of the request")
        require(confirmed?.cachingInfo?.redirectLimit == 7, "A confirmation sets the limit by redirects")
        require(await read(first, "de")?.timestamp == 1000, "A confirmation changes no other variant")

        second.remove(Self.key("fr"))
        try await second.flush()
        for language in ["de", "en", "fr"] {
            require(await text(first, language) == nil, "A removal removes the variant \(language)")
        }
        return broken
    }

    /// Writes a variant and confirms another one, in the process of the caller.
    package static func change(_ storage: CacheStorage) async throws {
        let confirmation = CachingInfo(requestTime: 3000, responseTime: 3001, redirectLimit: nil)
        storage.updateTimestamp(3001, [:], confirmation, of: entity("de").validator, forKey: key("de"))
        storage.write(entity("es"), forKey: key("es"))
        try await storage.flush()
    }

    /// Returns the violated rules after ``change(_:)`` in another process; empty if there are none.
    package func violations(afterChange change: () async -> Void) async throws -> [String] {
        first.write(Self.entity("de"), forKey: Self.key("de"))
        try await first.flush()
        let before = await read(first, "de")?.timestamp
        await change()
        let confirmed = await read(first, "de")
        var broken: [String] = []
        if before != 1000 { broken.append("The own entity is read") }
        if confirmed?.timestamp != 3001 || confirmed?.cachingInfo?.requestTime != 3000 {
            broken.append("The confirmation by the other process is read")
        }
        if await text(first, "es") != "es" { broken.append("The variant of the other process is read") }
        return broken
    }

    private func text(_ storage: CacheStorage, _ language: String) async -> String? {
        (await read(storage, language)?.content as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    private func read(_ storage: CacheStorage, _ language: String) async -> Entity<Any>? {
        await storage.entity(forKey: Self.key(language))
    }

    private static func key(_ language: String) -> CacheKey {
        CacheKey(
            principal: "", address: address, coding: .data, requestHeaders: ["Accept-Language": language])
    }

    private static func entity(_ language: String) -> Entity<Any> {
        Entity<Any>(
            content: Data(language.utf8), headers: ["Vary": "Accept-Language", "ETag": "\"\(language)\"", "X": "old"],
            timestamp: 1000)
    }
}
