import Observation
import Siesta

/// The changes of the user, and the effects of the states of the outbox.
extension BrowserModel {
    /// A conflict about which the user is asked. An app that is killed meanwhile finds it in ``GitHubAPI/changes``.
    package struct Question {
        package let conflict: GitHubAPI.DescriptionConflict
        let continuation: CheckedContinuation<GitHubAPI.DescriptionConflict.Answer, Never>
    }

    /// True if changes are not on the disk yet. The entries of the outbox contain them already.
    package var isKeeping: Bool { acceptingCount > 0 }

    /// True if changes are being sent, or wait for it.
    package var isSaving: Bool {
        acceptingCount > 0 || api.changes.contains { !$0.state.needsDecision }
            || screen.monitor.resources.flatMap(\.pendingChanges).contains {
                $0.state != .refused && $0.state != .conflict
            }
    }

    /// Stars a repository, or removes the star.
    package func star(_ id: Repository.ID, _ isStarred: Bool) {
        change("star") { api.setStarred(isStarred, id) }
    }

    /// Follows an account, or follows it no longer.
    package func follow(_ login: String, _ isFollowed: Bool) {
        change("follow") { api.setFollowed(isFollowed, login) }
    }

    /// Changes the description of a repository.
    package func describe(_ id: Repository.ID, _ text: String) {
        change("edit") { api.setDescription(text, of: id) }
    }

    /// Makes a change, which needs a user. A failure is in ``notice``.
    private func change(_ verb: String, _ make: () -> PendingChange) {
        guard api.principal != nil else {
            return notice = Notice("Sign in to \(verb)", isBad: true, next: .afterError(statusCode: 401))
        }
        let change = make()
        acceptingCount += 1
        Task { [weak self] in
            try? await change.accepted()
            self?.acceptingCount -= 1
        }
        change.request.onCompletion { [weak self] info in
            guard let self, case .failure(let error) = info.response, !info.response.isCancellation else { return }
            notice = Notice("Could not \(verb): \(error.userMessage)", isBad: true, next: .changes)
        }
    }

    /// Sends the changes that wait, without the rest of their delays.
    package func sendChanges() { api.outbox?.sendNow() }

    /// Answers the question.
    package func answer(_ answer: GitHubAPI.DescriptionConflict.Answer) {
        guard !questions.isEmpty else { return }
        questions.removeFirst().continuation.resume(returning: answer)
    }

    /// Draws again when an entry of the outbox changes, and asks the user about conflicts one after the other.
    func followChanges() {
        api.onConflict = { [weak self] conflict in await self?.ask(conflict) ?? .theirs }
        trackChanges()
    }

    private func trackChanges() {
        withObservationTracking {
            _ = api.outbox?.entries
        } onChange: { [weak self] in
            Task { @MainActor in
                self?.onChange()
                self?.trackChanges()
            }
        }
    }

    private func ask(_ conflict: GitHubAPI.DescriptionConflict) async -> GitHubAPI.DescriptionConflict.Answer {
        await withCheckedContinuation { questions.append(Question(conflict: conflict, continuation: $0)) }
    }
}
