import Foundation

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

/// The first invalidation makes an index of all resources. These tests change the resources afterwards.
@MainActor @Suite(.timeLimit(.test))
struct InvalidationIndexTests {
    private let bench = DependentService()
    private var service: Service { bench.service }

    init() { service.invalidate(tagged: "none") }

    @Test func `A resource that is made later is found`() async {
        await bench.load(bench.users, bench.teams)
        service.invalidate(tagged: "users")
        #expect(bench.users.isStale)
        #expect(bench.teams.isUpToDate)
    }

    @Test func `A resource that gets its tag from a later rule is found`() async {
        await bench.load(bench.teams)
        service.invalidate(tagged: "teams")
        #expect(bench.teams.isUpToDate)
        service.configure("/teams") { $0.tags = ["teams"] }
        service.invalidate(tagged: "teams")
        #expect(bench.teams.isStale)
    }

    @Test func `A resource that belongs to a group later is found, and only as long as it does`() async {
        await bench.load(bench.teams)
        service.invalidate(tagged: "g")
        bench.network.answer(.get, "/teams", with: .text("x", headers: ["Cache-Groups": #""g""#]))
        await bench.load(bench.teams)
        service.invalidate(tagged: "other")
        #expect(bench.teams.isUpToDate)
        service.invalidate(tagged: "g")
        #expect(bench.teams.isStale)
        bench.network.answer(.get, "/teams", with: .text("x"))
        await bench.load(bench.teams)
        service.invalidate(tagged: "g")
        #expect(bench.teams.isUpToDate)
    }

    @Test func `A resource that takes the place of a dropped one is found`() async {
        bench.users.overrideLocalContent(with: "x")
        service.invalidate(tagged: "users")
        service.flushUnusedResources()
        let teams = bench.teams
        teams.overrideLocalContent(with: "x")
        let user = bench.user
        user.overrideLocalContent(with: "x")
        service.invalidate(tagged: "users")
        #expect(user.isStale)
        #expect(teams.isUpToDate)
    }

    @Test func `Variants of a path with a query or a body are found, whenever they are made`() async {
        service.configure("/things", requestMethods: [.post]) { $0.invalidates = [.resource] }
        bench.network.handler = { _ in .text("x") }
        let plain = service.resource("/things")
        let slash = service.resource("/things/")
        let other = service.resource("/thing")
        var resources = [plain, slash, plain.withParam("page", "1")]
        for number in 2...4 {
            resources.append(plain.withParam("page", "\(number)"))
            resources.append(service.resource("/things", loadedBy: .post, body: .json(["number": number])))
            for resource in resources + [other] { await bench.load(resource) }
            await plain.request(.post).completion()
            let areStale = resources.allSatisfy(\.isStale)
            #expect(areStale)
            #expect(other.isUpToDate)
        }
    }

    @Test func `A resource is found after the release of its service`() async {
        var other: Service? = Service(baseURL: "https://other.test", networking: bench.network)
        other?.configure("/a") { $0.tags = ["all"] }
        other?.invalidate(tagged: "all")
        _ = other?.resource("/b")  // Resources have other slots after the release.
        let resource = other?.resource("/a")
        resource?.overrideLocalContent(with: "x")
        other = nil
        let next = resource?.service
        next?.invalidate(tagged: "all")
        #expect(resource?.isStale == true)
        resource?.overrideLocalContent(with: "y")
        #expect(next?.resource("/a") === resource)
        next?.invalidate(tagged: "all")
        #expect(resource?.isStale == true)
    }

    @Test func `A resource whose rule causes an invalidation is found by the next one`() {
        var isFirst = true
        service.configure("/a") { [service] in
            if isFirst {
                isFirst = false
                service.invalidate(tagged: "a")
            }
            $0.tags = ["a"]
        }
        let resource = service.resource("/a")
        let others = (0..<3).map { service.resource("/users/\($0)") }
        for resource in [resource] + others { resource.overrideLocalContent(with: "x") }
        isFirst = true
        service.invalidateConfiguration()
        service.invalidate(tagged: "users")
        let areStale = others.allSatisfy(\.isStale)
        #expect(areStale)
        service.invalidate(tagged: "a")
        #expect(resource.isStale)
        resource.overrideLocalContent(with: "y")
        isFirst = true
        service.invalidateConfiguration()
        #expect(resource.configuration.tags == ["a"])
        service.invalidate(tagged: "a")
        #expect(resource.isStale)
    }

    @Test func `The names of groups do not fill the memory`() async {
        let resource = bench.teams
        for number in 0..<3_000 {
            let entity = Entity<Any>(content: "x", contentType: "a/b", headers: ["cache-groups": "\"\(number)\""])
            resource.overrideLocalData(with: entity)
            service.invalidate(tagged: "none")
        }
        #expect(service.context.known(Dependencies.self)?.index.count ?? .max < 1_500)
        service.invalidate(tagged: "2999")
        #expect(resource.isStale)
    }

    @Test func `Many tags cause no new index each time`() {
        service.configure("/many") { $0.tags = Set((0..<5_000).map { "tag-\($0)" }) }
        let resource = service.resource("/many")
        resource.overrideLocalContent(with: "x")
        service.invalidate(tagged: "none")
        let number = service.context.known(Dependencies.self)?.index.number
        service.invalidate(tagged: "none")
        #expect(service.context.known(Dependencies.self)?.index.number == number)
        service.invalidate(tagged: "tag-7")
        #expect(resource.isStale)
    }

    @Test func `Making the index costs time proportional to the number of variants of one path`() {
        let growth = Growth(of: 2_500) { count in
            let service = Service(baseURL: "https://api.test", networking: bench.network)
            service.cachedResourceCountLimit = .max
            let items = service.resource("/items")
            return (service, (0..<count).map { items.withParam("page", "\($0)") })
        } _: { service, _ in
            service.invalidateConfiguration()
            service.invalidate(tagged: "none")
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `The number of resources does not matter to an invalidation without any`() {
        let growth = Growth(of: 1_000) { count in
            let service = Service(baseURL: "https://api.test", networking: bench.network)
            service.configure("/items/**") { $0.tags = ["items"] }
            service.configure("/items", requestMethods: [.post]) { $0.invalidates = [.resource] }
            let resources = (0..<count).map { service.resource("/items/\($0)").withParam("a", "b") }
            for resource in resources { resource.overrideLocalContent(with: "x") }
            return (service, resources)
        } _: { service, _ in
            for _ in 0..<500 { service.invalidate(tagged: "none") }
        }
        #expect(growth.fourTimes < growth.once * 2 + 2_000_000, "\(growth)")
    }
}
