import CacheTorture
import Foundation
import SiestaCore
import SiestaLists
import SiestaSessions
import SiestaTesting
import SiestaWriting
import TestDoubles

extension ChangeModel {
    /// Real resources and their model. Performs each step on both, and finds differences.
    @MainActor
    final class World {
        typealias Asked = CheckedContinuation<ConflictResolution<Data>, Never>

        let seed: UInt64
        var model = ChangeModel(resourceCount: 3)
        var mismatch: String?
        /// True if the last check has found the mismatch. Tasks of the library may still be running then.
        private var isLate = false
        var generator: SeededGenerator
        private(set) var steps: [String] = []
        let network = StubNetwork()
        private(set) var service: Service?
        private(set) var things: [TypedResource<Data>] = []
        private(set) var changes: [SiestaWriting.Change<Data>] = []
        var outcomes: [[Outcome]] = []
        var questions: [Int: (conflict: ChangeConflict<Data>, asked: Asked)] = [:]
        private(set) var selection: Selection<String>?
        private(set) var list: PagedResource<String>?
        private let owner = NSObject()
        private let session = UserSession(BearerToken())
        private var answer: (() -> Void)?
        /// The number of requests that were compared with the model.
        var comparedCount = 0
        private var counter = 0
        private(set) var counts: [String: Int] = [:]

        init(seed: UInt64) {
            self.seed = seed
            generator = SeededGenerator(seed: seed)
            let (network, clock) = (network, TestClock())
            network.handler = { _ in .held }
            let service = clock.whileCurrent {
                Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
            }
            service.configure {
                $0.progressReportingInterval = 1_000_000
                $0.expirationTime = 1_000_000
            }
            service.authenticate(sharing: session)
            self.service = service
            things = (0..<3).map { service.resource("/things/\($0)").typed() }
            selection = things[0].select { String(decoding: $0, as: UTF8.self) }
            selection?.addObserver(owner: owner) { _, _ in }
            list = PagedResource(
                things[0], items: { String(decoding: $0, as: UTF8.self).split(separator: " ").map(String.init) },
                id: { $0 }, next: .link)
            list?.addObserver(owner: owner) { _, _ in }
        }

        // MARK: Running

        /// Performs some steps before the next turns of the main queue. A response is the last of them.
        func runSomeSteps() {
            let count = 1 + generator.next() % 3
            for index in 0..<count where mismatch == nil {
                perform(mayAnswer: index + 1 == count)
                check()
            }
        }

        /// Lets the model carry out what was scheduled, and receive the response.
        func hear() {
            model.turn()
            answer?()
            answer = nil
        }

        /// Returns true if all agrees. Otherwise the difference is the ``mismatch``, unless a later check succeeds.
        func isChecked(isLast: Bool) -> Bool {
            guard mismatch == nil || isLate else { return true }
            (mismatch, isLate) = (nil, false)
            check()
            checkQuestions()
            isLate = mismatch != nil && !isLast
            return mismatch == nil
        }

        /// Performs one step that ends a request or a question. Returns false if there is none.
        func finishOne() -> Bool {
            guard mismatch == nil else { return false }
            if let id = questions.keys.min() {
                resolve(id)
            } else if let number = model.sent.indices.first(where: { model.sent[$0].isOpen }) {
                respond(number)
            } else {
                return false
            }
            check()
            return true
        }

        private func perform(mayAnswer: Bool) {
            let open = model.sent.indices.filter { model.sent[$0].isOpen }
            let pending = model.changes.indices.filter { model.changes[$0].isPending }
            let index = random(3)
            switch random(40) {
            case 0..<13: mutate()
            case 13..<25 where mayAnswer && !open.isEmpty: respond(pick(open))
            case 25..<28:
                note("load \(index)", "load") {
                    things[index].resource.load()
                } then: {
                    $0.load(index)
                }
            case 28..<30 where !pending.isEmpty:
                let id = pick(pending)
                note("cancel \(id)", "cancel") {
                    changes[id].cancel()
                } then: {
                    $0.cancel(id)
                }
            case 30..<34 where mayAnswer:
                if let id = questions.keys.sorted().randomElement(using: &generator) { resolve(id) }
            case 34, 35:
                let text = nextText("o")
                note("override \(index) \(text)", "override") {
                    things[index].resource.overrideLocalContent(with: Data(text.utf8))
                } then: {
                    $0.override(index, text)
                }
            case 36:
                note("wipe \(index)", "wipe") {
                    things[index].wipe()
                } then: {
                    $0.wipe([index])
                }
            case 37 where random(4) == 0:
                note("wipe all", "wipeAll") {
                    service?.wipeResources()
                } then: {
                    $0.wipe([0, 1, 2])
                }
            case 39:
                let text = (model.shown(index) ?? "") + " " + nextText("w")
                note("assign \(index) \(text)", "assign") {
                    things[index].content = Data(text.utf8)
                } then: {
                    $0.assign(index, text)
                }
            case 38 where mayAnswer && random(3) == 0: changePrincipal()
            default: break
            }
        }

        private func changePrincipal() {
            let name = nextText("user")
            note("sign in \(name)", "signIn") {
                Task { try await session.signIn(name, with: Credential(name)) }
            } then: { _ in
            }
            answer = { [self] in model.wipe([0, 1, 2]) }
        }

        private func note(_ step: String, _ kind: String, _ real: () -> Void, then: (inout ChangeModel) -> Void) {
            steps.append(step)
            counts[kind, default: 0] += 1
            real()
            then(&model)
        }

        // MARK: Changes

        private func mutate() {
            let target = random(3)
            var new = Change(
                resource: target, edits: [], scope: "https://api.test/things/\(target)", body: nextText("c"))
            var options = ChangeOptions()
            if random(6) != 0 { new.edits.append((target, .append(" " + nextText("e")))) }
            if random(3) == 0 { new.edits.append((random(3), .append(" " + nextText("a")))) }
            if random(12) == 0 { new.edits.append((random(3), .replace(nextText("r")))) }
            if random(4) == 0 { (new.scope, options.scope) = ("shared", "shared") }
            (options.isConcurrent, options.coalesces) = (random(8) == 0, random(3) == 0)
            options.settlement = pick([.response, .response, .edit, .reload])
            options.precondition = pick([Precondition.none, .none, .unchanged, .unchanged, .absent])
            new.isConcurrent = options.isConcurrent
            new.coalesces = options.coalesces
            new.settlement = options.settlement
            new.precondition = options.precondition ?? .none
            new.method = pick(["PUT", "PATCH", "PATCH", "DELETE"])
            new.hasResolver = random(3) != 0
            let id = changes.count
            note("\(id): \(new.method) \(new)", "mutate") {
                start(new, options, id)
            } then: {
                $0.add(new)
            }
        }

        private func start(_ new: Change, _ options: ChangeOptions, _ id: Int) {
            let edits = new.edits.map { index, edit in
                switch edit {
                case .append(let text): things[index].edit { $0 += Data(text.utf8) }
                case .replace(let text): things[index].replace(by: Data(text.utf8))
                }
            }
            let resolver: TypedResource<Data>.ConflictResolver = { [unowned self] in await ask(id, $0) }
            let method = RequestMethod(rawValue: new.method.lowercased()) ?? .put
            let change = things[new.resource].mutate(
                method, body: .data(Data(new.body.utf8)), also: edits, options: options,
                resolve: new.hasResolver ? resolver : nil)
            outcomes.append([])
            changes.append(change)
            change.request.onSuccess { [unowned self] _ in outcomes[id].append(.success) }
            change.request.onFailure { [unowned self] _ in outcomes[id].append(.failure) }
        }

        private func ask(_ id: Int, _ conflict: ChangeConflict<Data>) async -> ConflictResolution<Data> {
            await withCheckedContinuation { questions[id] = (conflict, $0) }
        }

        private func resolve(_ id: Int) {
            guard let asked = questions.removeValue(forKey: id)?.asked else { return }
            let (text, body) = (nextText("m"), nextText("b"))
            let resolution = pick([Resolution.giveUp, .force, .send(text, body: body)])
            note("resolve \(id) \(resolution)", "resolve") {
                switch resolution {
                case .giveUp: asked.resume(returning: .giveUp)
                case .force: asked.resume(returning: .force)
                case .send: asked.resume(returning: .send(Data(text.utf8), body: .data(Data(body.utf8))))
                }
            } then: { _ in
            }
            let before = answer
            answer = { [self] in
                before?()
                model.resolve(id, resolution)
            }
        }

        // MARK: Responses

        private func respond(_ number: Int) {
            let sent = model.sent[number]
            var chosen: Answer
            switch random(10) {
            case 0..<4: chosen = .content(nextText("s"), etag: randomTag())
            case 4, 5:
                chosen = .empty(etag: randomTag())
                if sent.method == "GET" { chosen = .content(nextText("s"), etag: nil) }
            case 6, 7:
                chosen = .failure(pick([409, 412, 412, 428]))
                if sent.method == "GET" { chosen = model.canConfirm(number) ? .notModified : .failure(404) }
            default: chosen = .failure(pick([404, 422, 500]))
            }
            note("answer \(number) (\(sent.method) \(sent.resource)) \(chosen)", "answer") {
                guard network.exchanges.indices.contains(number) else { return }
                network.exchanges[number].respond(with: chosen.stub)
            } then: { _ in
            }
            let before = answer
            answer = { [self] in
                before?()
                model.receive(chosen, to: number)
            }
        }

        /// Releases all objects, and returns a check that none of them leaks.
        func release() -> () -> Void {
            for id in questions.keys.sorted() { questions.removeValue(forKey: id)?.asked.resume(returning: .force) }
            for (id, change) in changes.enumerated() {
                expect(!change.isPending, "change \(id) has not ended")
                expect(outcomes[id].count == 1, "change \(id) has ended \(outcomes[id].count) times")
            }
            weak let (weakService, weakResource) = (service, things[0].resource)
            weak let weakChange = changes.first
            let hasChanges = !changes.isEmpty
            selection?.removeObservers(ownedBy: owner)
            list?.removeObservers(ownedBy: owner)
            (service, things, changes, selection, list) = (nil, [], [], nil, nil)
            return { [self] in
                expect(weakService == nil, "the service leaks")
                expect(weakResource == nil, "a resource leaks")
                expect(!hasChanges || weakChange == nil, "a change leaks")
            }
        }

        // MARK: Parts

        private func random(_ count: UInt64) -> Int { Int((generator.next() >> 7) % count) }

        private func pick<Value>(_ values: [Value]) -> Value { values[random(UInt64(values.count))] }

        private func randomTag() -> String? { random(3) == 0 ? nil : "\"\(nextText("t"))\"" }

        private func nextText(_ prefix: String) -> String {
            counter += 1
            return "\(prefix)\(counter)"
        }
    }
}
