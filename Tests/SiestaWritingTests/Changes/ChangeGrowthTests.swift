import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

/// The time for many pending changes.
@MainActor
@Suite(.serialized, .timeLimit(.model))
struct ChangeGrowthTests {
    private let network = StubNetwork()

    private func service() -> Service {
        network.handler = { _ in .held }
        return Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
    }

    private func change(_ resource: TypedResource<Int>) {
        resource.mutate(.patch) { $0 += 1 }
    }

    @Test func `Many changes of one resource are added in a time that grows with their number`() {
        let growth = Growth(of: TestLevel.count(500, nightly: 1_500)) { count in
            let resource: TypedResource<Int> = service().resource("/a").typed()
            resource.content = 0
            return (resource, count)
        } _: { (resource, count) in
            for _ in 0..<count { change(resource) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Many changes of many resources are added in a time that grows with their number`() {
        let growth = Growth(of: 250) { count in
            let service = service()
            return (0..<count).map { index -> TypedResource<Int> in
                let resource: TypedResource<Int> = service.resource("/\(index)").typed()
                resource.content = 0
                return resource
            }
        } _: { resources in
            for resource in resources { change(resource) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test("A wipe of many changes takes a time that grows with their number", arguments: [false, true])
    func wipe(areResourcesDifferent: Bool) async {
        let amount = TestLevel.count(100, nightly: 500)
        // A wipe is made once for each service.
        var services: [Int: [Service]] = [:]
        var kept: [Any] = []
        for count in [amount, 4 * amount] {
            for _ in 0..<12 {
                await Task.yield()  // Other tests need the main actor, too.
                let service = service()
                for index in 0..<count {
                    let resource: TypedResource<Int> = service.resource(areResourcesDifferent ? "/\(index)" : "/a")
                        .typed()
                    if resource.content == nil { resource.content = 0 }
                    change(resource)
                    kept.append(resource)
                }
                services[count, default: []].append(service)
            }
        }
        let growth = Growth(of: amount) {
            $0
        } _: { count in
            let service = services[count]?.popLast()
            #expect(service != nil)
            service?.wipeResources()
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
