//! The built-in templates, as methods.
//!
//! Their texts are in the files of `languages/`.

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
    /// Contains only a task; a blank one becomes the placeholder `task`.
    for_task(task) => "task";
    /// Extracts these fields from a text.
    for_extraction(fields) => "extraction";
    /// Assigns a text to one of these categories.
    for_classification(; categories...) => "classification";

    /// Analyzes strengths, weaknesses, opportunities and threats.
    for_swot_analysis() => "swot-analysis";
    /// Lists arguments for and against.
    for_pros_cons_analysis() => "pros-cons-analysis";
    /// Recommends one of several options by criteria.
    for_decision_making() => "decision-making";
    /// Finds the root cause of an event.
    for_root_cause_analysis() => "root-cause-analysis";
    /// Compares several things by the same criteria.
    for_comparison() => "comparison";
    /// Explains the findings in data.
    for_data_analysis() => "data-analysis";

    /// Writes code in a programming language.
    for_code(language) => "code";
    /// Reviews code for bugs, risks and unclear places.
    for_code_review() => "code-review";
    /// Finds the cause of an error in code.
    for_code_debugging(error) => "code-debugging";
    /// Refactors code towards a goal, without changing its behaviour.
    for_code_refactoring(goal) => "code-refactoring";
    /// Translates code from one programming language to another.
    for_code_translation(from, to) => "code-translation";
    /// Documents each operation of an API for its callers.
    for_api_documentation() => "api-documentation";
    /// Writes a changelog for users.
    for_changelog() => "changelog";
    /// Writes user stories from a request.
    for_user_stories() => "user-stories";

    /// Drafts an email in this tone.
    for_email_drafting(tone) => "email-drafting";
    /// Explains a technical subject in a document.
    for_technical_writing() => "technical-writing";
    /// Writes an academic text in this style, such as `APA`.
    for_academic_writing(style) => "academic-writing";
    /// Writes three versions of marketing copy for a product.
    for_marketing_copy() => "marketing-copy";
    /// Writes a story from an idea.
    for_storytelling() => "storytelling";
    /// Summarizes a text, in the language of the text.
    for_summarization() => "summarization";
    /// Translates from one language into another.
    for_translation(from, to) => "translation";
    /// Generates fifteen ideas that differ in kind.
    for_brainstorming() => "brainstorming";

    /// Explains something as to a five-year-old.
    for_eli5() => "eli5";
    /// Explains something as to experts.
    for_expert_explanation() => "expert-explanation";
    /// Writes a tutorial for beginners, with commands in full.
    for_tutorial() => "tutorial";
    /// Teaches a language to a speaker of another one.
    for_language_learning(target, native) => "language-learning";
    /// Generates a number of quiz questions of one kind.
    for_quiz_generation(number, kind) => "quiz-generation";
    /// Guides to the answer with questions.
    as_socratic_tutor() => "socratic-tutor";

    /// Answers a question from retrieved passages, with their sources.
    for_rag() => "rag";
    /// Answers a question from the user.
    for_qa() => "qa";
    /// Checks the claims of a text.
    for_fact_checking() => "fact-checking";
    /// Finds accessibility problems of an interface, with WCAG criteria.
    for_accessibility_review() => "accessibility-review";
    /// Finds security vulnerabilities in code or a design.
    for_security_review() => "security-review";
    /// Improves the performance of code.
    for_performance_optimization() => "performance-optimization";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::NAMES;
    use crate::Language;

    /// Each method has a template in every language, and each template has a method.
    #[test]
    fn each_method_has_its_template() {
        let calls: BTreeSet<&str> = NAMES.iter().copied().collect();
        for language in Language::all() {
            let templates: BTreeSet<&str> =
                language.templates().keys().map(String::as_str).collect();
            assert_eq!(calls, templates, "{}", language.tag());
        }
    }
}
