import SiestaActivity
import SiestaCore
import SiestaTesting
import TestKit
import Testing

private struct LimitKey: ConfigurationKey {
    static let defaultValue = 10
}

private struct TokenKey: ConfigurationKey {
    static let defaultValue: String? = nil
    static let name = "access token"
    static func text(of token: String?) -> String { token == nil ? "none" : "set" }
}

/// A key whose values cannot be compared, and need not be `Sendable`.
private struct FiltersKey: ConfigurationKey {
    static var defaultValue: [(Int) -> Bool] { [] }
}

extension Configuration {
    fileprivate var limit: Int {
        get { self[LimitKey.self] }
        set { self[LimitKey.self] = newValue }
    }

    fileprivate var token: String? {
        get { self[TokenKey.self] }
        set { self[TokenKey.self] = newValue }
    }

    fileprivate var filters: [(Int) -> Bool] {
        get { self[FiltersKey.self] }
        set { self[FiltersKey.self] = newValue }
    }
}

/// Options that apps define.
@MainActor @Suite(.timeLimit(.test))
struct ConfigurationKeyTests {
    private let service = Service(baseURL: "https://api.test", networking: StubNetwork())

    private func options(_ configure: @escaping (inout Configuration) -> Void) -> [String] {
        service.configure(description: "changed", configurer: configure)
        let rule = service.resource("/thing").explain().rules.last { $0.name == "changed" }
        return rule?.options.map { "\($0.name) \($0.value)" } ?? []
    }

    @Test func `An option has its default until a rule sets it`() {
        let thing = service.resource("/thing")
        #expect(thing.configuration.limit == 10)
        service.configure("/thing", requestMethods: [.get]) { $0.limit = 20 }
        #expect(thing.configuration.limit == 20)
        #expect(thing.configuration(for: .post).limit == 10)
        #expect(service.resource("/other").configuration.limit == 10)
    }

    @Test func `Later rules change the value of earlier ones`() {
        service.configure { $0.limit += 1 }
        service.configure("/thing") { $0.limit *= 2 }
        #expect(service.resource("/thing").configuration.limit == 22)
        #expect(service.resource("/other").configuration.limit == 11)
    }

    @Test func `Options do not affect each other, nor copies`() {
        var configuration = Configuration()
        configuration.limit = 1
        var copy = configuration
        copy.limit = 2
        copy.filters.append { $0 > 3 }
        copy.token = "x"
        copy.limit = 4
        #expect(configuration.limit == 1)
        #expect(configuration.filters.isEmpty)
        #expect(configuration.token == nil)
        #expect(copy.limit == 4)
        #expect(copy.filters.map { $0(4) } == [true])
        #expect(copy.token == "x")
        copy.token = nil
        #expect(copy.token == nil)
    }

    @Test func `Explanations list an option by the name of its key`() {
        #expect(options { $0.limit = 20 } == ["limit 20"])
        #expect(options { $0.limit = 10 } == ["limit 10"], "back to the default, after another value")
        #expect(options { $0.limit = 10 } == [])
    }

    @Test func `A key decides about its name and text in explanations`() {
        #expect(options { $0.token = "secret" } == ["access token set"])
        #expect(options { $0.token = "other" } == ["access token set"])
    }

    @Test func `Each assignment of a value that cannot be compared is listed`() {
        #expect(options { $0.filters.append { $0 > 3 } }.count == 1)
        #expect(options { $0.filters.append { $0 > 4 } }.count == 1)
        #expect(options { $0.limit = 20 } == ["limit 20"])
    }
}
