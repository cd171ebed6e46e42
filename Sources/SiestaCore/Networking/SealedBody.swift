/// A body that is encrypted where it is stored. It is never copied to a file.
package protocol SealedBody: StreamedBody {}
