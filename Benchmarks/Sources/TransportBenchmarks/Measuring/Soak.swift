#if os(Linux)
import Foundation
import Measuring

/// A million requests, and how much memory the process has on the way.
@MainActor
struct Soak {
    let workload: Workload
    static let requests = 1_000_000
    private static let steps = 10
    /// What the process may grow by after the first tenth, in bytes.
    private static let tolerance = 2e6

    /// Prints figures; false if memory grows.
    func run(_ kind: ClientKind) async throws -> Bool {
        guard let client = try kind.client(for: workload) else { return true }
        var sizes: [Double] = []
        for _ in 0..<Self.steps {
            await client.run(Self.requests / Self.steps)
            sizes.append(ProcessUsage().resident)
        }
        let growth = sizes[Self.steps - 1] - sizes[0]
        let megabytes = sizes.map { String(format: "%.1f", $0 / 1e6) }.joined(separator: " ")
        let isFlat = growth <= Self.tolerance
        show("\(kind.rawValue): MB after each tenth of \(Figures.whole(Double(Self.requests))) requests: \(megabytes)")
        show("    \(isFlat ? "flat" : "GROWS"): \(Figures.whole(growth)) B after the first tenth")
        return isFlat
    }
}
#endif
