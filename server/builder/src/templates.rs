//! The templates that come with the builder, as calls.
//!
//! What they say is in the files of `languages/`.

use crate::builder::PromptBuilder;
use crate::text::Text;

macro_rules! templates {
    ($($(#[$meta:meta])* $name:ident($($arg:ident),* $(; $all:ident...)?) => $id:literal;)*) => {
        impl PromptBuilder {
            $($(#[$meta])*
            pub fn $name(
                self
                $(, $arg: impl Into<Text>)*
                $(, $all: impl IntoIterator<Item = impl Into<Text>>)?
            ) -> Self {
                let arguments: Vec<Text> = vec![$($arg.into()),*];
                $(let arguments = arguments.into_iter().chain($all.into_iter().map(Into::into));)?
                self.template($id, arguments)
            })*
        }

        /// The names of the templates that have a call.
        #[cfg(test)]
        const NAMES: &[&str] = &[$($id),*];
    };
}

templates! {
    /// A task, and nothing else.
    for_task(task) => "task";
    /// Finds these fields in a text.
    for_extraction(fields) => "extraction";
    /// Says to which of these categories a text belongs.
    for_classification(; categories...) => "classification";

    /// Strengths, weaknesses, opportunities, threats.
    for_swot_analysis() => "swot-analysis";
    /// What speaks for something and what against it.
    for_pros_cons_analysis() => "pros-cons-analysis";
    /// Helps to decide.
    for_decision_making() => "decision-making";
    /// Finds out why something happened.
    for_root_cause_analysis() => "root-cause-analysis";
    /// Compares things.
    for_comparison() => "comparison";
    /// Says what data show.
    for_data_analysis() => "data-analysis";

    /// Writes code in a programming language.
    for_code(language) => "code";
    /// Reviews code.
    for_code_review() => "code-review";
    /// Finds the cause of an error in code.
    for_code_debugging(error) => "code-debugging";
    /// Changes code towards a goal, and not what it does.
    for_code_refactoring(goal) => "code-refactoring";
    /// Writes code of one programming language in another.
    for_code_translation(from, to) => "code-translation";
    /// Describes an API.
    for_api_documentation() => "api-documentation";
    /// Tells users what changed.
    for_changelog() => "changelog";
    /// From a wish to user stories.
    for_user_stories() => "user-stories";

    /// Writes an email in this tone.
    for_email_drafting(tone) => "email-drafting";
    /// Explains something technical in writing.
    for_technical_writing() => "technical-writing";
    /// Writes for scholars in this style, such as `APA`.
    for_academic_writing(style) => "academic-writing";
    /// Writes what sells.
    for_marketing_copy() => "marketing-copy";
    /// Tells a story.
    for_storytelling() => "storytelling";
    /// Says the same in less words.
    for_summarization() => "summarization";
    /// Translates from one language into another.
    for_translation(from, to) => "translation";
    /// Has ideas.
    for_brainstorming() => "brainstorming";

    /// Explains something as to a child of five.
    for_eli5() => "eli5";
    /// Explains something among experts.
    for_expert_explanation() => "expert-explanation";
    /// Shows how something is done.
    for_tutorial() => "tutorial";
    /// Teaches a language to somebody who speaks another.
    for_language_learning(target, native) => "language-learning";
    /// So many questions of a kind.
    for_quiz_generation(number, kind) => "quiz-generation";
    /// Leads to the answer by questions.
    as_socratic_tutor() => "socratic-tutor";

    /// Answers from passages that were found for a question.
    for_rag() => "rag";
    /// Answers a question.
    for_qa() => "qa";
    /// Checks what a text claims.
    for_fact_checking() => "fact-checking";
    /// Finds what keeps people from using something.
    for_accessibility_review() => "accessibility-review";
    /// Finds what can be attacked.
    for_security_review() => "security-review";
    /// Makes something faster.
    for_performance_optimization() => "performance-optimization";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::NAMES;
    use crate::Language;

    /// In every language, and no template is without a call.
    #[test]
    fn each_call_has_its_template() {
        let calls: BTreeSet<&str> = NAMES.iter().copied().collect();
        for language in Language::all() {
            let templates: BTreeSet<&str> =
                language.templates().keys().map(String::as_str).collect();
            assert_eq!(calls, templates, "{}", language.tag());
        }
    }
}
