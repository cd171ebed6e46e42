import Siesta

/// A line of `SiestaLog`, and where it says that an answer came from.
struct LogEntry: Hashable, Sendable {
    /// What the line is about.
    enum Kind: Hashable, Sendable {
        /// No request was needed.
        case memory
        /// The server has confirmed what was here.
        case notModified
        /// The server has sent data.
        case network
        /// Something failed.
        case failure
        /// A request has started.
        case request
        /// Anything else.
        case other
    }

    let kind: Kind
    let text: String

    /// Reads a message; what is the same in every line is shortened: the address of the server, and the type of its
    /// answers.
    init(_ category: SiestaLog.Category, _ message: String, base: String) {
        text = message.replacing(base, with: "…/").replacing(" (application/json; charset=utf-8)", with: "")
        kind = Self.kind(category, message)
    }

    private static func kind(_ category: SiestaLog.Category, _ message: String) -> Kind {
        switch category {
        case .staleness where message.hasSuffix("is up to date"): .memory
        case .stateChanges where message.contains("received notModified"): .notModified
        case .stateChanges where message.contains("received newData(network)"): .network
        case .stateChanges where message.contains("received error"): .failure
        case .network where message.contains("Failure:"): .failure
        case .network where ["GET ", "PUT ", "DELETE "].contains(where: message.hasPrefix): .request
        default: .other
        }
    }
}
