import Synchronization

extension SiestaLog {
    /// What a message is about.
    public enum Category: CaseIterable, Hashable, Sendable {
        /// One line when a request starts and one when its answer arrives.
        case network

        /// Headers and body sizes of requests and responses, with secrets redacted.
        case networkDetails

        /// Every transformer that changed or refused a response.
        case pipeline

        /// Changes of a resource's data and error.
        case stateChanges

        /// Observers added, removed and notified.
        case observers

        /// Decisions of `loadIfNeeded()` and their reasons.
        case staleness

        /// Reads, writes and removals in persistent caches.
        case cache

        /// Computing the configuration of resources.
        case configuration

        /// The categories that are logged; empty at first. May be read and set on any thread.
        public static var enabled: Set<Category> {
            get {
                let mask = enabledMask.load(ordering: .relaxed)
                return Set(allCases.filter { mask & $0.bit != 0 })
            }
            set { enabledMask.store(newValue.reduce(0) { $0 | $1.bit }, ordering: .relaxed) }
        }

        /// What one wants to see most of the time: network, state changes and staleness.
        public static let common: Set<Category> = [.network, .stateChanges, .staleness]

        /// Everything that explains a puzzling behaviour, without headers and observers.
        public static let detailed: Set<Category> = Set(allCases).subtracting([.networkDetails, .observers])

        /// Every category.
        public static let all: Set<Category> = Set(allCases)

        /// Whether messages of this category are logged now; one atomic read.
        var isEnabled: Bool { Self.enabledMask.load(ordering: .relaxed) & bit != 0 }

        private var bit: UInt16 {
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

        private static let enabledMask = Atomic<UInt16>(0)
    }
}

extension Set<SiestaLog.Category> {
    /// What one wants to see most of the time; see ``SiestaLog/Category/common``.
    public static var common: Set<SiestaLog.Category> { SiestaLog.Category.common }

    /// Everything that explains a puzzling behaviour; see ``SiestaLog/Category/detailed``.
    public static var detailed: Set<SiestaLog.Category> { SiestaLog.Category.detailed }

    /// Every category; see ``SiestaLog/Category/all``.
    public static var all: Set<SiestaLog.Category> { SiestaLog.Category.all }
}
