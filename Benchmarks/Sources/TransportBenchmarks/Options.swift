#if os(Linux)
import Foundation

/// What the command line asks for.
struct Options {
    let server: Server
    /// Only workloads whose names contain this.
    private(set) var filter: String?
    /// Only clients whose names contain one of these texts, as for a profile; all clients if there is no text.
    private(set) var clientTexts: [String] = []
    /// Write the tables into this document.
    private(set) var document: String?
    /// How often each client has its turn with each workload.
    private(set) var rounds = 11
    /// Send a million requests, and look at the memory.
    private(set) var isSoak = false

    static let usage = """
        usage: TransportBenchmarks --server HTTP-URL HTTPS-URL CA-FILE UNIX-SOCKET
               [--filter TEXT] [--client TEXT] [--rounds NUMBER] [--markdown DOCUMENT | --soak]
        Benchmarks/transport starts a server and passes it.
        """

    /// Reads the arguments; nil if one is unknown, or lacks its value, or there is no server.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        var server: Server?
        while let argument = rest.popFirst() {
            switch argument {
            case "--server":
                server = Server(rest.prefix(4))
                rest = rest.dropFirst(4)
            case "--filter": filter = rest.popFirst()
            case "--client": clientTexts += rest.popFirst().map { [$0] } ?? []
            case "--markdown": document = rest.popFirst()
            case "--rounds": rounds = rest.popFirst().flatMap { Int($0) } ?? rounds
            case "--soak": isSoak = true
            default: return nil
            }
        }
        guard let server else { return nil }
        self.server = server
    }

    /// Whether a workload is to be measured.
    func wants(_ workload: Workload) -> Bool { filter.map { workload.name.contains($0) } ?? true }

    /// The clients to be measured.
    var clients: [ClientKind] {
        ClientKind.allCases.filter { kind in
            clientTexts.isEmpty || clientTexts.contains { kind.rawValue.contains($0) }
        }
    }
}

extension Server {
    fileprivate init?(_ texts: ArraySlice<String>) {
        let texts = Array(texts)
        guard texts.count == 4, let plain = URL(string: texts[0]), let secure = URL(string: texts[1]) else {
            return nil
        }
        self.init(plain: plain, secure: secure, caFile: texts[2], unixSocket: texts[3])
    }
}
#endif
