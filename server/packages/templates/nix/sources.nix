{
  aarch64-darwin = {
    url = "@darwin_arm64_url@";
    sha256 = "@darwin_arm64_sha256@";
  };
  aarch64-linux = {
    url = "@linux_arm64_url@";
    sha256 = "@linux_arm64_sha256@";
  };
  x86_64-darwin = {
    url = "@darwin_x64_url@";
    sha256 = "@darwin_x64_sha256@";
  };
  x86_64-linux = {
    url = "@linux_x64_url@";
    sha256 = "@linux_x64_sha256@";
  };
}
