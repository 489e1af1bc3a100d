//! The languages that hold prompts.

/// A language that holds prompts as strings or values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Python.
    Python,
    /// Java.
    Java,
    /// Kotlin.
    Kotlin,
    /// TypeScript, `.ts` and its modules.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// JavaScript, JSX included.
    JavaScript,
    /// Go.
    Go,
    /// YAML.
    Yaml,
    /// JSON, comments included.
    Json,
    /// TOML.
    Toml,
    /// Markdown, of which only the front matter is read.
    Markdown,
}

impl Language {
    /// Each language by what the names of its files end in.
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

    /// The id that editors have for it.
    pub const fn id(self) -> &'static str {
        self.ids()[0]
    }

    /// All ids that editors have for it.
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
        }
    }

    /// Whether its prompts are strings in code, and not values of keys.
    pub const fn is_code(self) -> bool {
        !matches!(self, Language::Yaml | Language::Json | Language::Toml | Language::Markdown)
    }

    /// All of them; some come more than once.
    pub fn all() -> impl Iterator<Item = Language> {
        Language::ENDINGS.into_iter().map(|(_, language)| language)
    }

    /// The language of a file by what its name ends in, without the dot.
    pub fn from_ending(ending: &str) -> Option<Language> {
        let row = Language::ENDINGS.iter().find(|(known, _)| *known == ending);
        row.map(|(_, language)| *language)
    }
}
