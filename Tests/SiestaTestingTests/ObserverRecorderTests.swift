import SiestaCore
import SiestaTesting
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ObserverRecorderTests {
    @Test func `A wait asks once about each event, also if its question causes another event`() async {
        let resource = Service(baseURL: "https://api.test", networking: StubNetwork()).resource("/a")
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        var (count, isEnded) = (0, false)
        let end = Task {
            await recorder.next { _ in
                count += 1
                if count == 1 { resource.overrideLocalContent(with: "b") }
                return count == 3
            }
            isEnded = true
        }
        await mainQueueTurn()
        resource.overrideLocalContent(with: "a")
        await mainQueueTurn()
        #expect(count == 2)
        #expect(!isEnded)
        resource.overrideLocalContent(with: "c")
        await end.value
        #expect(count == 3)
    }
}
