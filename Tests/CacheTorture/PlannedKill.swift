import Foundation
import Waiting

/// Kills this process some time after a number of steps. Therefore a process on a slow machine also gets that far.
package final class PlannedKill {
    private var stepsLeft: Int
    private let delay: Int64

    /// - Parameter delay: the time between the last of the steps and the end of the process, in microseconds.
    package init(after steps: Int, delay: Int64) {
        (stepsLeft, self.delay) = (steps, delay)
        startIfReady()
    }

    /// Counts a step. Steps after the last one have no effect.
    package func step() {
        stepsLeft -= 1
        startIfReady()
    }

    private func startIfReady() {
        if stepsLeft == 0 { Moment.after(.microseconds(delay)) { kill(getpid(), SIGKILL) } }
    }
}
