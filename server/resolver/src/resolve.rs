//! Execution of a template with inputs.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use memchr::memmem;
use promptls_syntax::{BlockKind, Missing, unescaped};

use crate::behaviour::{Behaviour, Verdict};
use crate::blocks::{self, Items, MAX_DEPTH, MAX_ITEMS, items};
use crate::declarations::Fragment;
use crate::engine::Engine;
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::{
    Limit, MissingUse, RunFindings, UnpredictableUse, fragments_too_deep, too_long, too_much,
    unpredictable,
};
use crate::member_loop::{MemberBody, MemberSlot};
use crate::outcome::{Form, Lookup, Outcome};
use crate::output::{Bounded, Mapped, Output, OutputOrigin, has_brace, likely_len};
use crate::resolution::Resolution;
use crate::resolve_context::{MAX_FRAGMENT_DEPTH, ResolveContext};
use crate::source_map::{Via, ViaStep};
use crate::template::{Execution, FEW_PATHS, Item, Op, Template, This};
use crate::value::key_hash;
use crate::values::Values;

/// The maximum length of a text that is searched as fast as its values, in bytes.
const SHORT: usize = 16 * 1024;

impl Template<'_> {
    /// Resolves with a source map. Always returns a text.
    ///
    /// Cost: proportional to the output, and to the repetitions in loops and fragments, which are
    /// limited ([`MAX_STEPS`](crate::MAX_STEPS)).
    pub fn resolve(&self, given: &ResolveContext<'_>) -> Resolution {
        let execution = Execution { template: self, given };
        match given.workflow {
            Some(workflow) if self.engine.facts().has_workflows => {
                let without = self.resolve(&ResolveContext { workflow: None, ..*given });
                self.engine.fill_in_workflow(execution, workflow, without)
            }
            _ => self.engine.resolve(execution),
        }
    }

    /// Returns the text that the engine sends, or the error that it raises. No source map, no
    /// problems, and no allocation except for the text.
    pub fn render(&self, given: &ResolveContext<'_>) -> Result<String, EngineError> {
        if given.workflow.is_some() && self.engine.facts().has_workflows {
            let Resolution { text, error, .. } = self.resolve(given);
            return error.map_or(Ok(text), Err);
        }
        match self.render_texts(given) {
            Some(text) => Ok(text),
            None => self.render_by_plan(given),
        }
    }

    /// The same if not all values are texts.
    pub(crate) fn render_by_plan(&self, given: &ResolveContext<'_>) -> Result<String, EngineError> {
        let out = Bounded::new(given.max_output, likely_len(self.text));
        self.engine.render(Execution { template: self, given }, out)
    }

    /// The text if each placeholder is a key with a text in the inputs, which is the usual case and
    /// cannot fail. Several times as fast as [`Execution::run`].
    fn render_texts(&self, given: &ResolveContext<'_>) -> Option<String> {
        let declarations = given.declarations;
        let has_declarations =
            !(declarations.variables.is_empty() && declarations.fragments.is_empty());
        if has_declarations || !self.is_orderly {
            return None;
        }
        // An engine may reject an empty prompt, which is fast anyway.
        if self.text.is_empty() {
            return None;
        }
        let mut few = [""; FEW_PATHS];
        let mut many = Vec::new();
        let texts = match few.get_mut(..self.paths.len()) {
            Some(few) => few,
            None => {
                many.resize(self.paths.len(), "");
                &mut many[..]
            }
        };
        let mut likely = 0;
        for (text, path) in texts.iter_mut().zip(&self.paths) {
            if !path.is_key {
                return None;
            }
            *text = given.values.text_near(&mut likely, &path.name, Some(path.root_hash))?;
        }
        let mut out = Bounded::new(given.max_output, likely_len(self.text));
        for op in &self.ops {
            match op {
                Op::Literal(literal, _) => out.push(literal),
                Op::Slot { path, .. } => out.push(texts[*path]),
                Op::Escape(_) | Op::Malformed(_) | Op::Block { .. } | Op::End => return None,
            }
        }
        let is_read_again = |mark: &str| {
            // If no two braces can have become adjacent, no placeholder was formed. A short text is
            // searched quickly; in a long one, the values are only a fraction.
            let has_brace = match out.text.len() < SHORT {
                true => has_brace(out.text.as_bytes()),
                false => texts.iter().any(|text| has_brace(text.as_bytes())),
            };
            (self.has_loose_braces || has_brace)
                && memmem::find(out.text.as_bytes(), mark.as_bytes()).is_some()
        };
        let is_last = !self.engine.facts().reads_again.is_some_and(is_read_again);
        (is_last && !out.is_full()).then_some(out.text)
    }
}

impl<'e> Execution<'e> {
    /// Resolves each placeholder separately: see [`Method`](crate::behaviour::Method).
    pub fn resolve_by_placeholder(self) -> Resolution {
        let mut out = Mapped::new(self.given.max_output, likely_len(self.template.text));
        let found = self.run(&mut out);
        let Verdict { problems, error } = self.judge(&found);
        Resolution { text: out.out.text, map: out.map, problems, error }
    }

    /// Renders each placeholder separately, in source order.
    pub fn render_by_placeholder(self, mut out: Bounded) -> Result<String, EngineError> {
        let found = self.run(&mut out);
        if found.is_clean() && !self.template.dialect().spec().declarations {
            return Ok(out.text);
        }
        match self.judge(&found).error {
            None => Ok(out.text),
            Some(error) => Err(error),
        }
    }

    /// The value of a name that is not in the plan, such as one in a value: for an engine whose
    /// [`meaning`](Behaviour::meaning) ignores the hash.
    pub fn look_up(self, name: &str) -> Lookup<'e> {
        self.template.engine.look_up(name, 0, self.given)
    }

    /// Appends the resolved text placeholder by placeholder, and returns what is missing,
    /// unpredictable or beyond a limit.
    pub fn run<O: Output>(self, out: &mut O) -> RunFindings {
        let Execution { template, given } = self;
        let mut run = Run {
            engine: template.engine,
            given: *given,
            file: given.values.file(),
            out,
            found: RunFindings::default(),
            via: None,
            prompt: template,
            keeps_missing: None,
            depth: 0,
            fragments: Vec::new(),
            compiled: HashMap::new(),
            likely: 0,
            seen_missing: HashSet::new(),
            steps: given.max_steps().saturating_add(template.ops.len()),
            outermost: 0..0,
        };
        run.template(template);
        let mut found = run.found;
        if out.is_full() && found.limit.is_none() {
            found.limit = Some(Limit {
                source: 0..0,
                names: Vec::new(),
                code: Code::LimitExceeded,
                message: too_long(given.max_output),
                in_engine: None,
            });
        }
        found
    }

    /// The problems, and the verdict of the engine.
    pub fn judge(self, found: &RunFindings) -> Verdict {
        let engine = self.template.engine;
        let mut problems: Vec<Problem> = found
            .missing
            .iter()
            .map(|missing| {
                let location = Location { file: FileId::PROMPT, range: missing.source.clone() };
                let message = format!("`{}` has no value", missing.name);
                Problem::new(Code::UndefinedPlaceholder, location, message).about(&missing.name)
            })
            .collect();
        problems.extend(found.unpredictable.iter().map(|found| {
            let location = Location { file: FileId::PROMPT, range: found.source.clone() };
            let message = unpredictable(&found.name, found.why);
            Problem::new(Code::EngineUnpredictable, location, message).about(&found.name)
        }));
        let mut error = None;
        if let Some(limit) = &found.limit {
            let location = Location { file: FileId::PROMPT, range: limit.source.clone() };
            let mut problem = Problem::new(limit.code, location, &*limit.message);
            problem.names.clone_from(&limit.names);
            problems.push(problem);
            let message = limit.in_engine.as_ref().unwrap_or(&limit.message).clone();
            let names = limit.names.clone();
            error = Some(EngineError::new(ErrorKind::Limit, names, message));
        }
        let of_engine = engine.verdict(self, found);
        problems.extend(of_engine.problems);
        error = match engine.facts().verdict_first {
            true => of_engine.error.or(error),
            false => error.or(of_engine.error),
        };
        Verdict { problems, error }
    }
}

/// The state of one run.
struct Run<'r, 'a, O> {
    engine: &'static dyn Behaviour,
    given: ResolveContext<'a>,
    /// The file of the values.
    file: Option<FileId>,
    out: &'r mut O,
    found: RunFindings,
    via: Option<Arc<Via>>,
    /// The resolved template, including enclosing fragments.
    prompt: &'r Template<'r>,
    /// See [`Run::keeps_missing`]; computed only if needed.
    keeps_missing: Option<bool>,
    /// The number of open blocks.
    depth: usize,
    /// The names of the fragments that are being resolved.
    fragments: Vec<&'a str>,
    /// The compiled fragments so far.
    compiled: HashMap<&'a str, Rc<CompiledFragment<'a>>>,
    /// The likely position of the next member of an item: members are mostly read in their order.
    likely: usize,
    /// The reported missing names inside of repeated parts: position, and hash of the name.
    seen_missing: HashSet<(usize, u64)>,
    /// The number of remaining steps: see [`ResolveContext::max_steps`].
    steps: usize,
    /// The outermost enclosing block or fragment of the prompt: limits are reported there.
    outermost: Range<usize>,
}

/// A fragment with the values of its paths.
struct CompiledFragment<'a> {
    template: Template<'a>,
    bound: Vec<Lookup<'a>>,
}

impl<'a, O: Output> Run<'_, 'a, O> {
    /// Looks up each path of a template once, and appends its resolved text.
    fn template(&mut self, template: &Template<'_>) {
        let bound = self.engine.look_up_all(&template.paths, &self.given);
        let plan = Plan { template, bound: &bound, inside: None };
        self.ops(&plan, 0..template.ops.len(), None);
    }

    fn ops(&mut self, plan: &Plan<'_, 'a>, range: Range<usize>, item: Option<Item<'a>>) {
        let text = plan.template.text;
        let mut at = range.start;
        while at < range.end {
            if self.found.limit.is_some() || self.out.is_full() || !self.take_step() {
                return;
            }
            at += 1;
            match &plan.template.ops[at - 1] {
                Op::Literal(literal, start) => self.literal(plan, literal, *start),
                Op::Slot { source, path, optional } => {
                    self.slot(plan, source, *path, *optional, item);
                }
                Op::Escape(source) => {
                    self.out.escape(unescaped(&text[source.clone()]), source.clone());
                }
                Op::Malformed(source) => {
                    self.literal(plan, &text[source.clone()], source.start);
                }
                Op::Block { kind, source, path, end } => {
                    let end = *end as usize;
                    let block = Block { source, path: *path, inside: at..end - 1 };
                    match kind {
                        BlockKind::If => self.condition(plan, block, item),
                        BlockKind::Each => self.each(plan, block, item),
                    }
                    at = end;
                }
                Op::End => {}
            }
        }
    }

    /// The value of a path: already bound, unless it refers to the loop item.
    #[inline]
    fn bound<'s>(
        &self,
        plan: &'s Plan<'_, 'a>,
        path: usize,
        item: Option<Item<'a>>,
        of_item: &'s mut Option<Lookup<'a>>,
    ) -> &'s Lookup<'a> {
        match (item, plan.template.paths[path].this) {
            (None, _) | (_, This::No) => &plan.bound[path],
            (Some(item), this) => of_item.insert(self.engine.of_item(item, this, self.file)),
        }
    }

    #[inline]
    fn literal(&mut self, plan: &Plan<'_, 'a>, text: &str, start: usize) {
        match plan.inside {
            None => self.out.literal(text, start..start + text.len()),
            Some(fragment) => {
                let origin = OutputOrigin {
                    source: fragment.source,
                    path: fragment.path,
                    location: Some(&fragment.location),
                };
                self.out.value(origin, |out| out.push(text));
            }
        }
    }

    /// A text member of a loop item, which has the same form in any dialect. Loops mostly write
    /// these, and this avoids computing locations.
    #[inline]
    fn member_text(&mut self, item: Option<Item<'a>>, this: This<'_>) -> Option<&'a str> {
        match (item, this) {
            (Some(Item::Value(value)), This::Member(member)) => {
                value.as_object()?.text_near(&mut self.likely, member, None)
            }
            _ => None,
        }
    }

    #[inline]
    fn slot(
        &mut self,
        plan: &Plan<'_, 'a>,
        source: &Range<usize>,
        path: usize,
        optional: bool,
        item: Option<Item<'a>>,
    ) {
        if !O::KEEPS_ORIGINS
            && let Some(text) = self.member_text(item, plan.template.paths[path].this)
        {
            self.out.value(OutputOrigin::NOWHERE, |out| out.push(text));
            return;
        }
        let name = &*plan.template.paths[path].name;
        let mut of_item = None;
        let bound = self.bound(plan, path, item, &mut of_item);
        let at = plan.inside.map_or((source.start, source.end), |fragment| fragment.source);
        let origin = OutputOrigin { source: at, path: name, location: bound.location.as_ref() };
        if O::KEEPS_ORIGINS
            && let Some(why) = bound.unpredictable
        {
            let (name, source) = (name.to_owned(), at.0..at.1);
            self.found.unpredictable.push(UnpredictableUse { name, source, why });
        }
        match &bound.outcome {
            Outcome::Text(text) => self.out.value(origin, |out| out.push(text)),
            Outcome::Composed(text) | Outcome::Scalar { text, .. } => {
                self.out.value(origin, |out| out.push(text));
            }
            Outcome::Value(value, Form(form)) => {
                self.out.value(origin, |out| form.write(value, out));
            }
            Outcome::Entry(entry, Form(form)) => {
                self.out.value(origin, |out| form.java_entry(entry, out));
            }
            Outcome::Empty => self.out.value(origin, |_| {}),
            Outcome::Runtime => {
                self.literal(plan, &plan.template.text[source.clone()], source.start);
            }
            Outcome::Fragment(fragment) => self.fragment(plan, fragment, at, name),
            Outcome::Missing | Outcome::WrongType if optional => self.out.value(origin, |_| {}),
            Outcome::Missing | Outcome::WrongType => {
                let is_repeated = self.depth > 0 || plan.inside.is_some();
                if !is_repeated || self.seen_missing.insert((at.0, key_hash(name))) {
                    let name = name.to_owned();
                    self.found.missing.push(MissingUse { name, source: at.0..at.1 });
                }
                if self.keeps_missing() {
                    self.literal(plan, &plan.template.text[source.clone()], source.start);
                } else {
                    // Nothing is sent, but the map records the position.
                    self.out.value(OutputOrigin { location: None, ..origin }, |_| {});
                }
            }
        }
    }

    fn fragment(
        &mut self,
        plan: &Plan<'_, 'a>,
        fragment: &'a Fragment,
        at: (usize, usize),
        path: &str,
    ) {
        let name: &'a str = &fragment.name;
        if let Some(first) = self.fragments.iter().position(|open| *open == name) {
            let cycle: Vec<String> =
                self.fragments[first..].iter().map(|&name| name.to_owned()).collect();
            let message = format!("fragments include each other: {} → {name}", cycle.join(" → "));
            self.found.limit = Some(Limit {
                source: at.0..at.1,
                names: cycle,
                code: Code::FragmentCycle,
                message,
                in_engine: None,
            });
            return;
        }
        if self.fragments.len() == MAX_FRAGMENT_DEPTH {
            self.limit(&(at.0..at.1), fragments_too_deep(), None);
            return;
        }
        self.enter_outermost(at);
        self.fragments.push(name);
        let outer = self.via.clone();
        self.enter(|| ViaStep::Fragment(name.into()));
        let inside = Inside {
            source: at,
            path,
            location: Location { file: self.given.declarations.file, range: fragment.span.range() },
        };
        let compiled = self.compiled(plan.template.engine(), fragment);
        let CompiledFragment { template, bound } = &*compiled;
        let of_fragment = Plan { template, bound, inside: Some(&inside) };
        self.ops(&of_fragment, 0..template.ops.len(), None);
        self.leave(outer);
        self.fragments.pop();
    }

    /// A fragment with its values, compiled on first use.
    fn compiled(&mut self, engine: Engine, fragment: &'a Fragment) -> Rc<CompiledFragment<'a>> {
        if let Some(known) = self.compiled.get(&*fragment.name) {
            return known.clone();
        }
        let template = Template::compile(engine, &fragment.text);
        let bound = self.engine.look_up_all(&template.paths, &self.given);
        let compiled = Rc::new(CompiledFragment { template, bound });
        self.compiled.insert(&fragment.name, compiled.clone());
        compiled
    }

    fn condition(&mut self, plan: &Plan<'_, 'a>, block: Block<'_>, item: Option<Item<'a>>) {
        let mut of_item = None;
        let bound = self.bound(plan, block.path, item, &mut of_item);
        if bound.outcome.is_truthy() && self.enter_block(block.source) {
            self.ops(plan, block.inside, item);
            self.depth -= 1;
        }
    }

    fn each(&mut self, plan: &Plan<'_, 'a>, block: Block<'_>, item: Option<Item<'a>>) {
        let Block { source, path, inside } = block;
        let mut of_item = None;
        let bound = self.bound(plan, path, item, &mut of_item);
        let path = &plan.template.paths[path];
        let items = items(&bound.outcome);
        if items.len() > MAX_ITEMS {
            let message = format!(
                "`{}` has {} items; {} stops at {MAX_ITEMS}",
                path.name,
                items.len(),
                plan.template.dialect().spec().title
            );
            self.limit(source, message, Some(blocks::too_many_items()));
            return;
        }
        let written = match O::KEEPS_ORIGINS {
            true => 0,
            false => self.text_items(plan, source, inside.clone(), items),
        };
        let outer = self.via.clone();
        let name: Arc<str> = Arc::from(&*path.name);
        for index in written..items.len() {
            if self.found.limit.is_some() || !self.take_step() || !self.enter_block(source) {
                return;
            }
            self.via = outer.clone();
            self.enter(|| ViaStep::Each { path: name.clone(), item: index });
            self.ops(plan, inside.clone(), items.get(index));
            self.depth -= 1;
        }
        self.leave(outer);
    }

    /// Writes the first items of a loop without a source map: of a body with only literals and
    /// members of the item, and as long as all members are texts, which is the usual case. Returns
    /// the number of items. Twice as fast as [`Run::ops`], which writes the remaining ones.
    fn text_items(
        &mut self,
        plan: &Plan<'_, 'a>,
        source: &Range<usize>,
        inside: Range<usize>,
        items: Items<'a>,
    ) -> usize {
        let Items::List(items) = items else { return 0 };
        let steps = 1 + inside.len();
        let Some(mut body) = MemberBody::of(plan.template, inside) else { return 0 };
        if items.is_empty() || !self.enter_block(source) {
            return 0;
        }
        let start = self.out.text().len();
        let mut written = 0;
        for item in items {
            if self.steps < steps || self.out.is_full() || !body.look_up(item) {
                break;
            }
            for MemberSlot { before, text, .. } in &body.slots {
                // Ranges in the prompt are not used without a source map.
                self.out.literal(before, 0..0);
                self.out.value(OutputOrigin::NOWHERE, |out| out.push(text));
            }
            self.out.literal(body.after, 0..0);
            self.steps -= steps;
            written += 1;
            if written == 1 {
                let len = self.out.text().len() - start;
                self.out.reserve(len.saturating_mul(items.len() - 1));
            }
        }
        self.depth -= 1;
        written
    }

    /// `true` if a placeholder without a value stays in source form; otherwise it becomes empty.
    fn keeps_missing(&mut self) -> bool {
        let prompt = self.prompt;
        *self.keeps_missing.get_or_insert_with(|| match prompt.engine.facts().missing {
            Missing::StaysLiteralOrEmpty => !prompt.has_block_marker(),
            Missing::Raises | Missing::StaysLiteral => true,
        })
    }

    /// Enters a block; `false` if it is nested too deeply.
    fn enter_block(&mut self, source: &Range<usize>) -> bool {
        if self.depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} nested blocks");
            self.limit(source, message, Some(blocks::too_deep()));
            return false;
        }
        self.enter_outermost((source.start, source.end));
        self.depth += 1;
        true
    }

    /// Records the position of the outermost block or fragment.
    fn enter_outermost(&mut self, (start, end): (usize, usize)) {
        if self.depth == 0 && self.fragments.is_empty() {
            self.outermost = start..end;
        }
    }

    /// Takes a step; `false` if none is left.
    #[inline]
    fn take_step(&mut self) -> bool {
        if self.steps == 0 {
            let message = too_much(self.given.max_steps());
            self.limit(&self.outermost.clone(), message, None);
            return false;
        }
        self.steps -= 1;
        true
    }

    /// Records an exceeded limit; `in_engine` is the engine's message, if the limit is its own.
    fn limit(&mut self, source: &Range<usize>, message: String, in_engine: Option<String>) {
        self.found.limit = Some(Limit {
            source: source.clone(),
            names: Vec::new(),
            code: Code::LimitExceeded,
            message,
            in_engine,
        });
    }

    fn enter(&mut self, step: impl FnOnce() -> ViaStep) {
        let outer = self.via.take();
        let via = &mut self.via;
        self.out.set_via(|| {
            *via = Some(Arc::new(Via { outer, step: step() }));
            via.clone()
        });
    }

    fn leave(&mut self, outer: Option<Arc<Via>>) {
        self.via = outer;
        let via = &self.via;
        self.out.set_via(|| via.clone());
    }
}

/// A template with the values of its paths.
struct Plan<'p, 'a> {
    template: &'p Template<'p>,
    bound: &'p [Lookup<'a>],
    inside: Option<&'p Inside<'p>>,
}

/// A block of a template.
struct Block<'p> {
    /// The range of its opener.
    source: &'p Range<usize>,
    path: usize,
    /// Its steps, without the closer.
    inside: Range<usize>,
}

/// The fragment that is being resolved.
struct Inside<'f> {
    /// The range of its placeholder in the prompt.
    source: (usize, usize),
    path: &'f str,
    /// The location of its text.
    location: Location,
}
