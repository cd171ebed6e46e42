import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Converts observed exchanges to entries without secrets. Pure.
struct HARMaker: Sendable {
    let redactor: HARRedactor
    let bodies: HARRecorder.Bodies
    let droppedCount: Int

    func archive(of exchanges: [RecordedExchange]) -> HARArchive {
        let comment =
            droppedCount > 0 ? "\(droppedCount) older entries were dropped because of the recorder's limits." : nil
        return HARArchive(entries: exchanges.map(entry), comment: comment)
    }

    private func entry(_ exchange: RecordedExchange) -> HARArchive.Entry {
        let measured = max(0, (exchange.end ?? exchange.begin) - exchange.begin)
        let wait = exchange.headTime.map { max(0, $0 - exchange.begin) }
        let timings = HARArchive.Timings(exchange.metrics, time: measured, wait: wait)
        let started = Date(timeIntervalSinceReferenceDate: exchange.started.rounded(toPlaces: 3))
        var entry = HARArchive.Entry(
            request: request(exchange), response: response(exchange), started: started, time: timings.total,
            timings: timings)
        entry.error = exchange.error.map { redactor.text(PreparedText.error($0)) }
        entry.errorCode = (exchange.error as? URLError)?.errorCode
        if exchange.isOpenStream { entry.errorCode = URLError.Code.cancelled.rawValue }
        entry.comment = comment(exchange)
        return entry
    }

    private func request(_ exchange: RecordedExchange) -> HARArchive.Request {
        let request = exchange.request
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map {
            (name: $0.key, value: $0.value)
        }
        var result = HARArchive.Request(
            method: request.httpMethod ?? "GET", url: redactor.url(request.url?.absoluteString ?? ""),
            headers: redactor.headers(fields))
        if exchange.requestBody.size > 0 || request.httpBodyStream != nil {
            result.body = body(exchange.requestBody, request.value(forHTTPHeaderField: "Content-Type") ?? "")
        }
        if exchange.requestBody.size == 0, request.httpBodyStream != nil {
            result.body?.content = nil
            result.body?.comment = "The body was a stream, which was not recorded."
        }
        return result
    }

    private func response(_ exchange: RecordedExchange) -> HARArchive.Response {
        let version = exchange.metrics?.httpVersion.map { "HTTP/\($0)" } ?? ""
        guard let head = exchange.head else { return HARArchive.Response(status: 0, httpVersion: version) }
        let contentType = exchange.contentType ?? ""
        var response = HARArchive.Response(
            status: head.status, headers: redactor.headers(head.fields), body: body(exchange.responseBody, contentType),
            httpVersion: version)
        if let url = head.url, url != exchange.request.url { response.url = redactor.url(url.absoluteString) }
        return response
    }

    private func body(_ bytes: RecordedExchange.Bytes, _ contentType: String) -> HARArchive.Body {
        let isCut = bytes.content.count < bytes.size
        var body = HARArchive.Body(
            redactor.body(bytes.content, contentType: contentType, isCut: isCut),
            contentType: redactor.text(contentType))
        (body.size, body.isCut) = (bytes.size, isCut)
        if body.isCut { body.comment = "Only the first \(bytes.content.count) of \(bytes.size) bytes were recorded." }
        guard bodies == .digest, bytes.size > 0 else { return body }
        if !body.isCut { body.digest = body.content.map { HARBodyComparison.digest(of: $0, contentType: contentType) } }
        (body.content, body.isCut) = (nil, false)
        body.comment = body.digest == nil ? "The body was too large for a digest." : nil
        return body
    }

    private func comment(_ exchange: RecordedExchange) -> String? {
        if exchange.isOpenStream { return "The stream was open when the recording was written." }
        guard let count = exchange.metrics?.redirects, count > 0 else { return nil }
        return count == 1 ? "A redirect was followed." : "\(count) redirects were followed."
    }
}
