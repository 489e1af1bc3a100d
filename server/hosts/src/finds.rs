//! What is found in a host.

use crate::chat::Chat;
use crate::code::Callee;
use crate::flow::crew::{CrewPart, UnknownConfig};
use crate::host_prompt::{
    Conflict, Contract, Demand, Elsewhere, HostPrompt, Imported, Part, TextDemand,
};
use crate::pack::Pack;
use crate::text_reference::{TextReference, WrittenPart};
use crate::unread::{Computed, Unread};

/// The results for a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finds {
    /// Its prompts, in the order of their first literals.
    pub prompts: Vec<HostPrompt>,
    /// Texts that are passed to frameworks of several dialects, so that they are no prompts.
    pub conflicts: Vec<Conflict>,
    /// Its chats, in the order of their calls.
    pub chats: Vec<Chat>,
    /// Prompts of other hosts that this one uses, and names whose meaning it requests.
    pub elsewhere: Vec<Elsewhere>,
    /// The calls that supply values to prompts of other hosts.
    pub supplied: Vec<Contract>,
    /// The names that other hosts request, as far as they take prompts.
    pub callees: Vec<(Imported, Vec<Callee>)>,
    /// The names by which other hosts may use its functions that pass parameters to frameworks as
    /// prompts, and its templates, without any word of the framework; each as a demand of such a host.
    pub sought: Vec<Demand>,
    /// The names that it imports; an empty one for a whole module.
    pub imports: Vec<Imported>,
    /// The texts that other hosts use as parts of their prompts, without holes.
    pub parts: Vec<Part>,
    /// The places of all texts that other hosts use as parts of their prompts.
    pub written_parts: Vec<WrittenPart>,
    /// The places that stand for texts which are written elsewhere, in source order.
    pub text_references: Vec<TextReference>,
    /// The uses by other hosts of names that this one does not have.
    pub unmet: Vec<TextDemand>,
    /// The start of a literal or comment that is cut off by the end of the file.
    pub cut_off: Option<usize>,
    /// Texts that may be prompts and cannot be read.
    pub unread: Vec<Unread>,
    /// Values that a framework uses as prompts, and whose texts only the running program has.
    pub computed: Vec<Computed>,
    /// The names of the configurations of a crew in a file that other hosts name.
    pub crew_names: Vec<(CrewPart, Vec<String>)>,
    /// The names of configurations of crews in its code that do not exist.
    pub unknown_configs: Vec<UnknownConfig>,
    /// The kind of pack that the file is, even if it does not parse.
    pub pack: Option<&'static Pack>,
}

impl Finds {
    /// The responses of this host, whose file has a name, to requests of others.
    pub fn responses(&self, file: &str) -> impl Iterator<Item = (Demand, Demand)> {
        let callees = self.callees.iter().map(|(imported, callees)| {
            (Demand::Callee(imported.clone()), Demand::Known(imported.clone(), callees.clone()))
        });
        let parts = self.parts.iter();
        let parts =
            parts.map(|part| (Demand::Text(part.demand.clone()), Demand::Part(part.clone())));
        let unmet = self.unmet.iter().map(move |demand| {
            (Demand::Text(demand.clone()), Demand::Unmet(demand.clone(), file.to_owned()))
        });
        let crews = self.crew_names.iter();
        let crews = crews
            .map(|(part, names)| (Demand::Crew(*part), Demand::CrewNames(*part, names.clone())));
        callees.chain(parts).chain(unmet).chain(crews)
    }
}
