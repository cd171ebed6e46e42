import Measuring
import Testing

@Suite("Parts of a profile", .timeLimit(.minutes(30)))
struct CallgrindPartTests {
    private let text = """
        # callgrind format
        version: 1
        part: 4
        desc: Trigger: --dump-before=counted_region_ends
        events: Ir

        ob=(1) /lib/x.so
        fn=(7) $s4main3runyyF
        0 5
        cfn=(8) malloc
        calls=2 0
        +3 400
        * 2

        fn=(8)
        0 40
        cfn=(9) malloc'2
        calls=1 0
        0 60
        fn=(9)
        0 60
        totals: 107
        """

    @Test("instructions count where they were executed, and levels of recursion are one function")
    func costs() {
        let part = CallgrindPart(text)
        #expect(part?.selfCosts == ["$s4main3runyyF": 7, "malloc": 100])
        #expect(part?.instructions == 107)
    }

    @Test("a part says which one it is, and what made it")
    func head() {
        let part = CallgrindPart(text)
        #expect(part?.number == 4)
        #expect(part?.trigger == "--dump-before=counted_region_ends")
        #expect(CallgrindPart("something else") == nil)
    }
}
