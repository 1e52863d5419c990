# Unverified: this formula has not been run. The address and the checksum are set when a release is published.
class GhostConvert < Formula
  desc "Convert GPS recordings and compare drives by position"
  homepage "https://example.invalid/ghost-convert"
  url "https://example.invalid/ghost-convert-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on xcode: ["26.0", :build]
  depends_on "pkgconf" => :build
  depends_on "libarchive"
  depends_on "libxml2"
  depends_on "sqlite"

  uses_from_macos "swift" => :build
  uses_from_macos "zlib"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "ghost-convert"
    bin.install ".build/release/ghost-convert"
    generate_completions_from_executable(bin/"ghost-convert", "completions")
    (man1/"ghost-convert.1").write Utils.safe_popen_read(bin/"ghost-convert", "manual")
  end

  test do
    system bin/"ghost-convert", "demo", "demo"
    assert_path_exists testpath/"demo/race.html"
  end
end
