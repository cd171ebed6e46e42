/// What the command line asks for.
struct Options {
    /// Only rows whose names contain this.
    var filter: String?
    /// Print measurements as JSON instead of tables.
    var isJSON = false
    /// Do each operation a fixed number of times, for an instruction counter; say as JSON what was done.
    var isCounting = false
    /// Write the tables into this document.
    var document: String?
    /// A directory of what an instruction counter wrote: print a table of it.
    var counts: String?
    /// Compare counts with the thresholds in this file.
    var check: String?
    /// Write counts as thresholds to this file.
    var update: String?
    /// Print which functions executed most instructions of each counted row.
    var isProfiling = false
    /// Be the fresh process of a start-up row.
    var startUp: String?

    static let usage = """
        usage: Benchmarks [--filter TEXT] [--json | --count | --markdown DOCUMENT]
               Benchmarks --counts DIRECTORY [--filter TEXT] [--check FILE | --update FILE | --markdown DOCUMENT] [--profile]
        """

    /// Reads the arguments; nil if one is unknown or lacks its value.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--count": isCounting = true
            case "--profile": isProfiling = true
            default:
                guard let path = Self.values[argument], let value = rest.popFirst() else { return nil }
                self[keyPath: path] = value
            }
        }
    }

    private static var values: [String: WritableKeyPath<Options, String?>] {
        [
            "--filter": \.filter, "--markdown": \.document, "--counts": \.counts, "--check": \.check,
            "--update": \.update, "--start-up": \.startUp,
        ]
    }

    /// Whether a row is to be measured.
    func wants(_ name: String) -> Bool { filter.map { name.contains($0) } ?? true }
}
