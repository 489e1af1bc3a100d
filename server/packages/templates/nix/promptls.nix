{ lib, stdenvNoCC, fetchurl, installShellFiles }:

let
  sources = import ./sources.nix;
in
stdenvNoCC.mkDerivation {
  pname = "promptls";
  version = "@version@";
  src = fetchurl sources.${stdenvNoCC.hostPlatform.system};

  nativeBuildInputs = [ installShellFiles ];

  installPhase = ''
    runHook preInstall
    install -Dm755 promptls -t $out/bin
    installManPage man/*.1
    installShellCompletion --bash completions/promptls.bash
    installShellCompletion --fish completions/promptls.fish
    installShellCompletion --zsh completions/_promptls
    install -Dm644 LICENSE-* THIRD-PARTY-LICENSES.txt CHANGELOG.md promptls.cyclonedx.json -t $out/share/doc/promptls
    runHook postInstall
  '';

  meta = {
    description = "@description@";
    homepage = "@repository@";
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = "promptls";
    platforms = builtins.attrNames sources;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
