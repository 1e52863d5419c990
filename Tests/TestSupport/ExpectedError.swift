package import Testing
package import TrackModel

/// Expects that a body throws a `TrackError` of a kind.
package func expectError<Result>(
  _ code: TrackError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
  let error = #expect(throws: TrackError.self, sourceLocation: sourceLocation) { try body() }
  if let error { #expect(error.code == code, "\(error)", sourceLocation: sourceLocation) }
}
