import Foundation
import Siesta

/// What a fresh process pays: each sample is a process of its own, this program called with `--start-up`.
@MainActor
func startupBenchmarks() -> [Benchmark] {
    [
        Benchmark("start-up/process that does nothing") { try startUp("nothing").process },
        Benchmark("start-up/process with Service and resource") { try startUp("resource").process },
        Benchmark("start-up/from main to the first configured resource") { try startUp("resource").main },
    ]
}

/// Is the fresh process: prints the nanoseconds that it took.
@MainActor
func runStartUp(_ what: String) {
    let start = DispatchTime.now().uptimeNanoseconds
    if what == "resource" { keep(Service(baseURL: "http://a.test/api").resource("/items/7").configuration) }
    print(DispatchTime.now().uptimeNanoseconds - start)
}

/// Nanoseconds that a fresh process took: altogether, and from its `main`.
private func startUp(_ what: String) throws -> (process: Double, main: Double) {
    let process = Process()
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--start-up", what]
    process.standardOutput = output
    let start = DispatchTime.now().uptimeNanoseconds
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let time = DispatchTime.now().uptimeNanoseconds - start
    process.waitUntilExit()
    guard let main = Double(text.filter(\.isNumber)) else { throw CocoaError(.fileReadCorruptFile) }
    return (Double(time), main)
}
