// The recorder and the replays of HAR files are a module of their own, so that an app with the inspector does not contain the test doubles.
@_exported public import SiestaRecording
