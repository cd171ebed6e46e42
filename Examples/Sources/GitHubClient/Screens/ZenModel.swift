package import Siesta
import SiestaUI

/// A sentence of GitHub's wisdom, which is fresh as long as the headers of its response say.
@MainActor
package final class ZenModel: ScreenModel {
    package let monitor = ResourceMonitor()
    /// The sentence.
    package let zen: TypedResource<String>
    /// The outcome of the last call of ``use()``; nil before it.
    package private(set) var lastUse: Use?
    private var uses = 0

    /// A response of `get()`.
    package struct Use: Equatable, Sendable {
        /// The rule by which the sentence was returned.
        package enum Rule: Equatable, Sendable {
            case fresh, staleWhileRevalidate, staleIfError, loaded
        }

        package var rule: Rule
        package var sentence: String
        /// The age in seconds, as the entity says it.
        package var age: String?

        package init(_ rule: Rule, _ sentence: String, age: String? = nil) {
            (self.rule, self.sentence, self.age) = (rule, sentence, age)
        }
    }

    /// Creates the model.
    package init(api: GitHubAPI) {
        zen = api.zen
    }

    package var crumbs: [String] { ["Zen"] }

    package var resources: [Resource] { [zen.resource] }

    package var isBusy: Bool { uses > 0 }

    /// Asks for the sentence in the way of code that needs it now. The outcome is in ``lastUse``; it is nil after an error,
    /// which the screen shows.
    package func use() {
        let phase = zen.freshness.phase
        uses += 1
        Task {
            let entity = try? await zen.resource.get()
            lastUse = entity.map { Use(rule(since: phase), $0.text, age: $0.header(forKey: "Age")) }
            uses -= 1
            monitor.onChange()
        }
    }

    private func rule(since phase: ResourceFreshness.Phase) -> Use.Rule {
        switch phase {
        case .fresh: .fresh
        case .staleWhileRevalidate: .staleWhileRevalidate
        case .none, .staleIfError, .stale: zen.resource.latestError == nil ? .loaded : .staleIfError
        }
    }
}
