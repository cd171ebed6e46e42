import Foundation
import SiestaCore

/// The checks of one cache instance.
@MainActor
struct CacheChecks {
    let report: ConformanceReport
    let user: CacheUser

    func run() async {
        await keepsEntities()
        await keepsResourcesApart()
        await changesTimestamps()
        await removes()
        await keepsOrder()
        await allowsConcurrentUse()
    }

    private static func entity(_ text: String, number: Int = 0) -> Entity<Any> {
        Entity<Any>(
            content: Data(text.utf8), charset: "utf-8",
            headers: ["Content-Type": "text/plain; charset=utf-8", "ETag": "\"\(number)\"", "Vary": "Accept, Cookie"],
            timestamp: 700_000_000.25 + TimeInterval(number))
    }

    private func text(_ path: String) async -> String? {
        await user.read(path).map { String(decoding: $0.typedContent(ifNone: Data()), as: UTF8.self) }
    }

    private func keepsEntities() async {
        let rule = "An entity is read as it was written"
        await user.remove("/a")
        report.check("Nothing is found before it is written", await text("/a"), nil)
        await user.write(Self.entity("first"), "/a")
        report.check(rule, await text("/a"), "first")
        let written = Self.entity("Ünï\0\r\n", number: 1)
        await user.write(written, "/a")
        report.check("A write replaces the entity", await text("/a"), "Ünï\0\r\n")
        let read = await user.read("/a")
        report.check("The headers are kept, under any case", read?.header(forKey: "etag"), "\"1\"")
        report.check("The headers are kept, all of them", read?.headers, written.headers)
        report.check("The content type is kept", read?.contentType, written.contentType)
        report.check("The charset is kept", read?.charset, "utf-8")
        report.check("The timestamp is kept, fractions included", read?.timestamp, written.timestamp)
        await user.write(Entity<Any>(content: Data(), headers: [:], timestamp: 5), "/a")
        report.check("Empty content is content", await text("/a"), "")
        report.check("A missing charset stays missing", await user.read("/a")?.charset, nil)
    }

    private func keepsResourcesApart() async {
        let paths = ["/p", "/p/", "/P", "/p?q=1", "/p?q=2", "/p%2F", "/" + String(repeating: "long/", count: 200)]
        for path in paths { await user.write(Self.entity(path), path) }
        for path in paths {
            report.check("Resources with different URLs are kept apart", await text(path), path)
        }
        for path in paths { await user.remove(path) }
    }

    private func changesTimestamps() async {
        await user.write(Self.entity("x"), "/t")
        await user.updateTimestamp(900, "/t")
        let read = await user.read("/t")
        report.check("The timestamp can be changed", read?.timestamp, 900)
        report.check("A change of the timestamp leaves the content", await text("/t"), "x")
        report.check("A change of the timestamp leaves the headers", read?.headers, Self.entity("x").headers)
        await user.remove("/t")
        await user.updateTimestamp(900, "/t")
        report.check("A change of a missing entity's timestamp has no effect", await text("/t"), nil)
    }

    private func removes() async {
        await user.write(Self.entity("kept"), "/kept")
        await user.write(Self.entity("x"), "/removed")
        await user.remove("/removed")
        await user.remove("/never-there")
        report.check("A removed entity is not found", await text("/removed"), nil)
        report.check("A removal leaves other entities", await text("/kept"), "kept")
    }

    /// Checks the order of writes. No write waits for the previous write.
    private func keepsOrder() async {
        for number in 0...200 {
            await user.write(Self.entity("\(number)", number: number), "/order")
            if number % 7 == 3 { await user.remove("/order") }
            if number % 5 == 1 {
                report.check("The last change counts", await text("/order"), number % 7 == 3 ? nil : "\(number)")
            }
        }
        report.check("The last change counts", await text("/order"), "200")
        report.check(
            "Content and headers belong together", await user.read("/order")?.timestamp,
            Self.entity("", number: 200).timestamp)
    }

    private func allowsConcurrentUse() async {
        let rule = "Content, headers and timestamp belong to each other, however many write and read at once"
        let tasks = (0..<8).map { member in
            Task {
                for round in 0..<25 { await check(rule, member * 1000 + round, "/crowd\(round % 3)") }
            }
        }
        for task in tasks { await task.value }
    }

    private func check(_ rule: String, _ number: Int, _ path: String) async {
        await user.write(Self.entity("\(number)", number: number), path)
        guard let read = await user.read(path) else { return report.fail(rule, "what was just written is gone") }
        let found = Int(String(decoding: read.typedContent(ifNone: Data()), as: UTF8.self)) ?? -1
        report.check(rule, read.etag, "\"\(found)\"")
        report.check(rule, read.timestamp, Self.entity("", number: found).timestamp)
    }
}
