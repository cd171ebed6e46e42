import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting

extension ChangeModel.Answer {
    var stub: StubAnswer {
        switch self {
        case .content(let text, let etag):
            .response(200, headers: etag.map { ["ETag": $0] } ?? [:], body: Data(text.utf8))
        case .empty(let etag): .response(204, headers: etag.map { ["ETag": $0] } ?? [:])
        case .notModified: .notModified
        case .failure(let status): .response(status)
        }
    }
}
