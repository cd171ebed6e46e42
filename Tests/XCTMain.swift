import Testing

// On Linux, a file of this name is the main program of the tests. Without it, SwiftPM writes a program that runs the tests of XCTest, too,
// and needs the index of all modules to find them. This package has no such tests.
@main struct TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
