import CacheTorture
import Foundation

extension ResourceModel {
    /// One operation of a test on a resource and on its model.
    ///
    /// Numbers that select a request or an observer are taken modulo the number of requests or observers.
    enum Step {
        case load
        case loadIfNeeded
        case request
        case loadUsingRequest(Int)
        case answer(Int, Answer)
        case cancel(Int)
        case cancelLoadIfUnobserved
        case override(etag: String?, age: TimeInterval)
        case overrideContent
        case invalidate
        case wipe
        case addObserver(isOwned: Bool)
        case removeObserver(Int)
        case dropObserver(Int)
        case changeConfiguration(expirationTime: TimeInterval)
        case dropService
        case pass(TimeInterval)
        case setWallClock(TimeInterval)

        static func random(using generator: inout SeededGenerator, contentNumber: Int) -> Step {
            let pick = Int(truncatingIfNeeded: generator.next() >> 33)
            switch generator.next() % 50 {
            case 0..<9: return .load
            case 9..<12: return .loadIfNeeded
            case 12..<14: return .request
            case 14..<16: return .loadUsingRequest(pick)
            case 16..<28: return .answer(pick, .random(using: &generator, contentNumber: contentNumber))
            case 28..<31: return .cancel(pick)
            case 31: return .cancelLoadIfUnobserved
            case 32..<35: return .override(etag: etag(using: &generator), age: [0, 10, 40][pick % 3])
            case 35: return .overrideContent
            case 36..<38: return .invalidate
            case 38..<40: return .wipe
            case 40..<43: return .addObserver(isOwned: pick.isMultiple(of: 2))
            case 43: return .removeObserver(pick)
            case 44: return .dropObserver(pick)
            case 45: return .changeConfiguration(expirationTime: [20, 30, 60][pick % 3])
            case 46: return pick.isMultiple(of: 4) ? .dropService : .load
            case 47, 48: return .pass([1, 2, 15, 30, 31][pick % 5])
            default: return .setWallClock([-1_000_000, -3600, 3600, 1_000_000][pick % 4])
            }
        }

        fileprivate static func etag(using generator: inout SeededGenerator) -> String? {
            [nil, "a", "b"][Int(generator.next() % 3)]
        }
    }
}

extension ResourceModel.Answer {
    fileprivate static func random(using generator: inout SeededGenerator, contentNumber: Int) -> Self {
        switch generator.next() % 10 {
        case 0..<5: .newData(content: "network \(contentNumber)", etag: ResourceModel.Step.etag(using: &generator))
        case 5..<8: .notModified
        case 8: .failure("500")
        default: .failure("timeout")
        }
    }
}
