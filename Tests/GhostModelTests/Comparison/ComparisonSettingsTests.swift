import GhostModel
import Testing

@Suite struct ComparisonSettingsTests {
  @Test("The default settings are the app's")
  func defaults() {
    let settings = ComparisonSettings()
    #expect(settings.mode == .startLocation)
    #expect(settings.trimStartIdle && !settings.trimEndIdle)
    #expect(settings.idleSpeedThreshold == 5)
    #expect(settings.convergenceRadius == 30)
    #expect(settings.divergenceAngle == 30)
    #expect(settings.samplingStride == 5)
  }
}
