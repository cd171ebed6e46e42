/// A body that is encrypted where it is stored. It is never copied to a file.
protocol SealedBody: StreamedBody {}
