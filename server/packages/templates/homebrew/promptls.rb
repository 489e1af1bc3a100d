class Promptls < Formula
  desc "@description@"
  homepage "@repository@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@darwin_arm64_url@"
      sha256 "@darwin_arm64_sha256@"
    end
    on_intel do
      url "@darwin_x64_url@"
      sha256 "@darwin_x64_sha256@"
    end
  end

  on_linux do
    on_arm do
      url "@linux_arm64_url@"
      sha256 "@linux_arm64_sha256@"
    end
    on_intel do
      url "@linux_x64_url@"
      sha256 "@linux_x64_sha256@"
    end
  end

  def install
    bin.install "promptls"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/promptls.bash" => "promptls"
    zsh_completion.install "completions/_promptls"
    fish_completion.install "completions/promptls.fish"
    doc.install "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.txt", "promptls.cyclonedx.json"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/promptls --version")
  end
end
