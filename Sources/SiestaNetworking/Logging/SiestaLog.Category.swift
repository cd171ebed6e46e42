public import Synchronization

extension SiestaLog {
    /// The subject of a log message.
    public enum Category: CaseIterable, Hashable, Sendable {
        /// The start of each request, and its response or its cancellation, one line each. The category also contains
        /// warnings about mistakes.
        case network

        /// The headers of requests and responses, with secrets redacted, and the sizes of response bodies.
        case networkDetails

        /// Transformers that were applied to a response or skipped.
        case pipeline

        /// Changes to a resource's data and error.
        case stateChanges

        /// Added observers, and each event that observers receive.
        case observers

        /// Decisions of `loadIfNeeded()` and their reasons.
        case staleness

        /// Entities that were found in persistent caches, records that were removed as unusable, and failures of
        /// caches.
        case cache

        /// Configuration rules that are applied to a resource, and invalidations of the configuration.
        case configuration

        /// The enabled categories, whose messages are logged; empty by default. This property may be read and set on
        /// any thread.
        public static var enabled: Set<Category> {
            get {
                let mask = enabledMask.load(ordering: .relaxed)
                return Set(allCases.filter { mask & $0.bit != 0 })
            }
            set {
                let bits = newValue.reduce(0) { $0 | $1.bit }
                // Sets and removes bits one after the other, so that the bit for listeners stays as it is.
                enabledMask.bitwiseAnd(bits | activityBit, ordering: .relaxed)
                enabledMask.bitwiseOr(bits, ordering: .relaxed)
            }
        }

        /// The categories for everyday use: network, state changes and staleness.
        public static let common: Set<Category> = [.network, .stateChanges, .staleness]

        /// The categories for debugging: all except network details and observers.
        public static let detailed: Set<Category> = Set(allCases).subtracting([.networkDetails, .observers])

        /// All categories.
        public static let all: Set<Category> = Set(allCases)

        /// True if messages of this category are logged now. Costs one atomic read.
        @inlinable package var isEnabled: Bool { Self.enabledMask.load(ordering: .relaxed) & bit != 0 }

        /// True if messages of this category are logged now, or if anybody listens to the activity of a service. Costs one
        /// atomic read.
        @inlinable package var isWatched: Bool {
            Self.enabledMask.load(ordering: .relaxed) & (bit | Self.activityBit) != 0
        }

        /// Notes that a service with listeners was added or removed.
        @MainActor package static func watchActivity(_ isWatched: Bool) {
            watchedServices += isWatched ? 1 : -1
            if watchedServices > 0 {
                enabledMask.bitwiseOr(activityBit, ordering: .relaxed)
            } else {
                enabledMask.bitwiseAnd(~activityBit, ordering: .relaxed)
            }
        }

        @MainActor private static var watchedServices = 0
        @usableFromInline static let activityBit: UInt16 = 1 << 15

        @inlinable var bit: UInt16 {
            switch self {
            case .network: 1 << 0
            case .networkDetails: 1 << 1
            case .pipeline: 1 << 2
            case .stateChanges: 1 << 3
            case .observers: 1 << 4
            case .staleness: 1 << 5
            case .cache: 1 << 6
            case .configuration: 1 << 7
            }
        }

        @usableFromInline static let enabledMask = Atomic<UInt16>(0)
    }
}

extension Set<SiestaLog.Category> {
    /// The categories for everyday use; see ``SiestaLog/Category/common``.
    public static var common: Set<SiestaLog.Category> { SiestaLog.Category.common }

    /// The categories for debugging; see ``SiestaLog/Category/detailed``.
    public static var detailed: Set<SiestaLog.Category> { SiestaLog.Category.detailed }

    /// All categories; see ``SiestaLog/Category/all``.
    public static var all: Set<SiestaLog.Category> { SiestaLog.Category.all }
}
