import SiestaUI
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct StatusRulesTests {
    /// All states of one resource.
    static let items: [StatusRules.Item] = (0..<16).map { bits in
        StatusRules.Item(
            hasData: bits & 1 != 0, isLoading: bits & 2 != 0, hasError: bits & 4 != 0, isWaiting: bits & 8 != 0)
    }

    /// All orders of all subsets of the rules.
    static let priorities: [[StateRule]] = {
        var all: [[StateRule]] = [[]]
        var longest = all
        for _ in StateRule.allCases {
            longest = longest.flatMap { list in
                StateRule.allCases.filter { !list.contains($0) }.map { list + [$0] }
            }
            all += longest
        }
        return all
    }()

    /// The rules in other words: a table of the conditions, and the smallest position among those that hold.
    static func expected(
        _ items: [StatusRules.Item], _ priority: [StateRule], hasManualLoad: Bool
    ) -> StatusRules.Decision {
        let loading = items.filter(\.isLoading).count
        let data = items.filter(\.hasData).count
        let errors = items.filter(\.hasError).count
        let conditions: [(StateRule, Bool, StatusRules.Cover)] = [
            (.loading, loading > 0, .loading), (.manualLoading, hasManualLoad, .loading), (.anyData, data > 0, .none),
            (.allData, data > 0 && data == items.count, .none), (.error, errors > 0, .failure),
        ]
        let holding = conditions.compactMap { rule, holds, cover in
            holds ? priority.firstIndex(of: rule).map { (position: $0, cover: cover) } : nil
        }
        let cover = holding.min { $0.position < $1.position }?.cover ?? .none
        let positions = Array(items.enumerated())
        let failure = positions.first(where: \.element.hasError).map { StatusRules.Subject.failure(of: $0.offset) }
        let wait = positions.first(where: \.element.isWaiting).map { StatusRules.Subject.wait(of: $0.offset) }
        let subjects: [StatusRules.Subject?]
        switch cover {
        case .failure: subjects = [failure]
        case .loading: subjects = [wait]
        case .none where priority.contains(.error): subjects = [wait, failure]
        case .none: subjects = priority.contains(.loading) ? [wait] : []
        }
        return StatusRules.Decision(cover: cover, subject: subjects.compactMap(\.self).first)
    }

    /// The part of the cases that are compared: each one whose number has this remainder.
    private static let part: (step: Int, remainder: Int) = {
        let step = TestLevel.count(9, nightly: 1)
        return (step, Int(TestSeed.current) % step)
    }()

    @Test func `All states of three resources lead to the status that a second statement of the rules expects`() {
        #expect(Self.priorities.count == 326)
        // At the lowest level a ninth of the states, others each day.
        let (step, offset) = Self.part
        var differences: [String] = []
        var count = 0
        for one in Self.items {
            for two in Self.items {
                for three in Self.items {
                    defer { count += 1 }
                    guard count % step == offset else { continue }
                    let items = [one, two, three]
                    for (index, priority) in Self.priorities.enumerated() where index < 6 || index % 7 == count % 7 {
                        for hasManualLoad in [false, true] {
                            let decision = StatusRules(priority: priority).decide(items, hasManualLoad: hasManualLoad)
                            let expected = Self.expected(items, priority, hasManualLoad: hasManualLoad)
                            if decision != expected { differences.append("\(items) \(priority): \(decision)") }
                        }
                    }
                }
            }
        }
        #expect(count == 4096)
        #expect(differences.isEmpty, "\(differences.count): \(differences.first ?? "")")
    }

    @Test func `Every priority is compared for all states of two resources`() {
        let (step, offset) = Self.part
        var differences = 0
        for (first, one) in Self.items.enumerated() {
            for (second, two) in Self.items.enumerated() {
                for (index, priority) in Self.priorities.enumerated()
                where (first * 16 + second + index) % step == offset {
                    for hasManualLoad in [false, true] {
                        let decision = StatusRules(priority: priority).decide([one, two], hasManualLoad: hasManualLoad)
                        differences +=
                            decision == Self.expected([one, two], priority, hasManualLoad: hasManualLoad) ? 0 : 1
                    }
                }
            }
        }
        #expect(differences == 0)
    }

    @Test func `Without resources, the content is shown, unless a manual load runs`() {
        for priority in Self.priorities {
            let rules = StatusRules(priority: priority)
            #expect(rules.decide([]) == .init(cover: .none, subject: nil))
            let isLoading = rules.decide([], hasManualLoad: true).cover == .loading
            #expect(isLoading == priority.contains(.manualLoading))
        }
    }

    typealias Item = StatusRules.Item

    @Test(arguments: [
        // The pages of the original recommend these priorities for these situations.
        ([StateRule].standard, [Item(isLoading: true)], StatusRules.Cover.loading, StatusRules.Subject?.none),
        (.standard, [Item(hasData: true, isLoading: true)], .loading, nil),
        (.standard, [Item(hasError: true), Item(hasError: true)], .failure, .failure(of: 0)),
        (.standard, [Item(hasData: true), Item(hasError: true)], .failure, .failure(of: 1)),
        (.dataFirst, [Item(hasData: true), Item(hasError: true)], .none, .failure(of: 1)),
        (.dataFirst, [Item(hasData: true, isLoading: true)], .none, nil),
        (.dataFirst, [Item(isLoading: true, isWaiting: true)], .loading, .wait(of: 0)),
        (.dataFirst, [Item(hasData: true, isLoading: true, hasError: true, isWaiting: true)], .none, .wait(of: 0)),
        (.manualLoads, [Item(isLoading: true)], .loading, nil),
        (.manualLoads, [Item(hasData: true, isLoading: true)], .none, nil),
        ([.allData, .error], [Item(hasData: true), Item()], .none, nil),
        ([.anyData], [Item(hasData: true, hasError: true)], .none, nil),
        ([.allData], [Item(hasData: true, isWaiting: true)], .none, nil),
        ([.error, .error, .loading], [Item(isLoading: true)], .loading, nil),
    ])
    func `The situations of the guide`(
        priority: [StateRule], items: [Item], cover: StatusRules.Cover, subject: StatusRules.Subject?
    ) {
        #expect(StatusRules(priority: priority).decide(items) == .init(cover: cover, subject: subject))
    }

    @Test(
        arguments: [
            ([Item(hasData: true)], nil), ([Item(live: .live), Item()], .live),
            ([Item(), Item(live: .notLive)], .notLive),
            ([Item(live: .live), Item(live: .reconnecting)], .reconnecting),
            ([Item(live: .notLive), Item(live: .live)], .notLive),
            ([Item(live: .notLive), Item(live: .reconnecting), Item(live: .live)], .reconnecting),
        ] as [([Item], LiveLine.Kind?)])
    func `The line about live data tells of lost connections first`(items: [Item], kind: LiveLine.Kind?) {
        #expect(StatusRules(priority: .dataFirst).decide(items).live == kind)
    }

    @Test func `A cover hides the line about live data, and a banner does not`() {
        let items = [Item(hasData: true, isLoading: true, hasError: true, live: .live)]
        #expect(StatusRules(priority: [.loading]).decide(items).live == nil)
        #expect(StatusRules(priority: [.error]).decide(items).live == nil)
        let decision = StatusRules(priority: .dataFirst).decide(items)
        #expect(decision == .init(cover: .none, subject: .failure(of: 0), live: .live))
    }

    @Test func `The raw values are those of the original`() {
        #expect(StateRule.allCases.map(\.rawValue) == ["loading", "manualLoading", "anyData", "allData", "error"])
    }
}
