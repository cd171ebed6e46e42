import Foundation

/// Makes a system call, and repeats it as long as a signal interrupts it. Returns the result of the last call; if it is
/// negative, `errno` is the error.
package func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
