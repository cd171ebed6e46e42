/// A receiver of the events of one exchange.
package protocol ExchangeObserver: Sendable {
    /// Receives an event, on the thread on which it happens. Must not block this thread.
    func receive(_ event: ExchangeEvent)

    /// Receives the provider's handle, from which the metrics can be read. The exchange may have ended already.
    @MainActor func started(_ networking: any RequestNetworking)
}
