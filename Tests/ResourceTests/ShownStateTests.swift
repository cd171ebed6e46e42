import Foundation

import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

/// What a state shows, with every combination of its layers.
@MainActor @Suite(.timeLimit(.test))
struct ShownStateTests {
    struct Layers: CustomTestStringConvertible {
        let data: String?
        /// The result of pending edits; `.some(nil)` if they have no data to edit.
        let edited: String??
        let placeholder: String?

        var testDescription: String {
            "data: \(data ?? "none"), edited: \(edited.map { $0 ?? "none" } ?? "no edits"), "
                + "placeholder: \(placeholder ?? "none")"
        }

        static let all = [nil, "data"].flatMap { data in
            [String??.none, .some(nil), "edited"].flatMap { edited in
                [nil, "placeholder"].map { Layers(data: data, edited: edited, placeholder: $0) }
            }
        }
    }

    private let now = Resource.State.Moment(wallTime: 1_000_000, monotonicTime: 50)

    private func entity(_ text: String) -> Entity<Any> { Entity(content: text, contentType: "text/plain") }

    private func state(_ layers: Layers) -> Resource.State {
        var state = Resource.State()
        if let data = layers.data { state.setCachedData(entity(data), at: now) }
        state.setPlaceholder(layers.placeholder.map(entity))
        if let edited = layers.edited { state.setEdited(.init(entity: edited.map(entity), number: 7, changeCount: 2)) }
        return state
    }

    private func text(_ entity: Entity<Any>?) -> String? { entity?.content as? String }

    @Test(arguments: Layers.all)
    func `The upper layer is shown`(_ layers: Layers) {
        let state = state(layers)
        let expected = layers.edited ?? layers.data
        #expect(text(state.shown) == expected)
        #expect(state.hasShown == (expected != nil))
        #expect(text(state.shownOrPlaceholder) == expected ?? layers.placeholder)
        #expect(state.isShowingPlaceholder == (expected == nil && layers.placeholder != nil))
        #expect(state.isOptimistic == (layers.edited != nil))
        #expect(state.pendingChangeCount == (layers.edited == nil ? 0 : 2))
        #expect(state.shownSource == (expected == nil ? nil : layers.edited == nil ? .cache : .local))
        #expect(text(state.serverData) == layers.data)
    }

    @Test(arguments: Layers.all)
    func `A wipe removes all but the result of pending edits`(_ layers: Layers) {
        var state = state(layers)
        let (revision, content) = (state.shownRevision, state.shownContentRevision)
        state.wipe(loadsUpTo: state.lastLoad)
        #expect(text(state.shownOrPlaceholder) == layers.edited ?? nil)
        #expect(state.data == nil)
        #expect(state.shownRevision != revision)
        #expect(state.shownContentRevision != content)
    }

    @Test func `Revisions change with each layer`() {
        var state = state(Layers(data: "data", edited: nil, placeholder: nil))
        var revisions = [state.shownRevision]
        state.setEdited(.init(entity: entity("a"), number: 1, changeCount: 1))
        revisions.append(state.shownRevision)
        state.setEdited(.init(entity: entity("b"), number: 2, changeCount: 1))
        revisions.append(state.shownRevision)
        state.setCachedData(entity("c"), at: now)
        revisions.append(state.shownRevision)
        state.setEdited(nil)
        revisions.append(state.shownRevision)
        #expect(Set(revisions).count == revisions.count)
        let placeholders = [nil, "a", "b", nil].map { placeholder in
            state.setPlaceholder(placeholder.map(entity))
            return state.placeholderRevision
        }
        #expect(Set(placeholders.dropLast()).count == 3)
        #expect(state.rest.isEmpty)
    }

    @Test func `Observation is told of the layers that change, and of no other`() {
        let bare = state(Layers(data: nil, edited: nil, placeholder: nil))
        var (held, edited) = (bare, bare)
        held.setPlaceholder(entity("a"))
        edited.setEdited(.init(entity: entity("b"), number: 1, changeCount: 1))
        #expect(Resource.Tracked.changes(from: bare, to: held) == .placeholder)
        #expect(Resource.Tracked.changes(from: held, to: bare) == .placeholder)
        #expect(Resource.Tracked.changes(from: bare, to: edited) == .latestData)
        #expect(Resource.Tracked.changes(from: edited, to: edited) == [])
    }
}
