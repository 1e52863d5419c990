import Testing

@testable import DriveMatching

@Suite("Fit of the onset of motion")
struct OnsetFitTests {
  @Test(
    "The beginning of a uniform acceleration is found", arguments: [1.2, 1.9, 3.0], [4.0, 8.0])
  func even(acceleration: Double, seconds: Double) {
    var fit = OnsetFit(acceleration: 1.9)
    for second in 0...24 {
      let moving = max(0, Double(second) - 12.5)
      let gaining = min(moving, seconds)
      fit.append(time: Double(second), out: 3 + acceleration * gaining * (moving - gaining / 2))
    }
    #expect(abs(fit.moment(within: 0...20) - 12.5) < 0.3)
  }

  @Test("The beginning of an immediate full speed is found")
  func atOnce() {
    var fit = OnsetFit(acceleration: 1.9)
    for half in 0...32 { fit.append(time: Double(half) / 2, out: 14 * max(0, Double(half) / 2 - 12.25)) }
    #expect(abs(fit.moment(within: 0...16) - 12.25) < 0.3)
  }

  @Test("Without motion, the result is the end of the range")
  func still() {
    var fit = OnsetFit(acceleration: 1.9)
    #expect(fit.moment(within: 0...5) == 5)
    fit.append(time: 0, out: 0)
    fit.append(time: 1, out: 0)
    #expect(fit.moment(within: 0...5) == 5)
  }
}
