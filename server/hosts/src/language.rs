//! The languages of hosts.

/// A language of files that hold prompts as strings or values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Python, in files that end in `.py` or `.pyi`.
    Python,
    /// Java, in files that end in `.java`.
    Java,
    /// Kotlin: `.kt` files and `.kts` scripts.
    Kotlin,
    /// TypeScript: `.ts` and its module variants.
    TypeScript,
    /// TypeScript with JSX: `.tsx` files, `typescriptreact` in editors.
    Tsx,
    /// JavaScript with JSX: `.js`, its module variants and `.jsx`.
    JavaScript,
    /// Go, in files that end in `.go`.
    Go,
    /// YAML, in files that end in `.yaml` or `.yml`.
    Yaml,
    /// JSON: `.json` and `.jsonc` files; comments are allowed.
    Json,
    /// TOML, in files that end in `.toml`.
    Toml,
    /// Markdown; only the front matter is read.
    Markdown,
    /// Any other text, whatever its file is called. Only code that reads the file makes it a prompt.
    Text,
}

impl Language {
    /// Languages by file extension, without the dot.
    const ENDINGS: [(&str, Language); 21] = [
        ("py", Language::Python),
        ("pyi", Language::Python),
        ("java", Language::Java),
        ("kt", Language::Kotlin),
        ("kts", Language::Kotlin),
        ("ts", Language::TypeScript),
        ("mts", Language::TypeScript),
        ("cts", Language::TypeScript),
        ("tsx", Language::Tsx),
        ("js", Language::JavaScript),
        ("mjs", Language::JavaScript),
        ("cjs", Language::JavaScript),
        ("jsx", Language::JavaScript),
        ("go", Language::Go),
        ("yaml", Language::Yaml),
        ("yml", Language::Yaml),
        ("json", Language::Json),
        ("jsonc", Language::Json),
        ("toml", Language::Toml),
        ("md", Language::Markdown),
        ("markdown", Language::Markdown),
    ];

    /// The main language id in editors.
    pub const fn id(self) -> &'static str {
        self.ids()[0]
    }

    /// All language ids in editors.
    pub const fn ids(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["python"],
            Language::Java => &["java"],
            Language::Kotlin => &["kotlin"],
            Language::TypeScript => &["typescript"],
            Language::Tsx => &["typescriptreact"],
            Language::JavaScript => &["javascript", "javascriptreact"],
            Language::Go => &["go"],
            Language::Yaml => &["yaml"],
            Language::Json => &["json", "jsonc"],
            Language::Toml => &["toml"],
            Language::Markdown => &["markdown"],
            Language::Text => &["plaintext"],
        }
    }

    /// `true` if its prompts are strings in code, and not values in data.
    pub const fn is_code(self) -> bool {
        !matches!(
            self,
            Language::Yaml | Language::Json | Language::Toml | Language::Markdown | Language::Text
        )
    }

    /// `true` if the prompts of its files are values in YAML.
    pub const fn is_yaml(self) -> bool {
        matches!(self, Language::Yaml | Language::Markdown)
    }

    /// All languages, some of them several times.
    pub fn all() -> impl Iterator<Item = Language> {
        Language::ENDINGS.into_iter().map(|(_, language)| language)
    }

    /// The file extensions of all languages, without dots.
    pub fn endings() -> impl Iterator<Item = &'static str> {
        Language::ENDINGS.into_iter().map(|(ending, _)| ending)
    }

    /// The language of a file extension, without the dot; `None` for others.
    pub fn from_ending(ending: &str) -> Option<Language> {
        let row = Language::ENDINGS.iter().find(|(known, _)| *known == ending);
        row.map(|(_, language)| *language)
    }
}
