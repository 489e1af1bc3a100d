{
  description = "@description@";

  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";

  outputs = { nixpkgs, ... }: {
    packages = builtins.mapAttrs (system: pkgs: rec {
      promptls = pkgs.callPackage ./promptls.nix { };
      default = promptls;
    }) (nixpkgs.lib.getAttrs (builtins.attrNames (import ./sources.nix)) nixpkgs.legacyPackages);
  };
}
