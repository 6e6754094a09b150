//! `static` buffers.

use graph_ir::code::Code;
use graph_ir::model::{Origin, RegionId};
use graph_ir::rules::statics;
use quote::format_ident;
use syn::spanned::Spanned;

use super::Lowering;
use super::launch::check_buffer;
use super::memory::whole;
use super::parameters::{NewBuffer, memory};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::Transient;

impl Lowering<'_> {
    /// `static s: [T; n] = value;`
    pub(crate) fn static_buffer(&mut self, buffer: &Transient) {
        self.refuse_in_body(buffer);
        self.refuse_method(buffer);
        if let Some(count) = &buffer.count {
            let fault =
                Diagnostic::error(Code::NOT_YET, count.span(), "a list of `static` buffers is not supported yet");
            self.diagnose(fault.help("declare one buffer, and use ranges of it"));
        }
        let shape = self.shape(None, &buffer.length);
        let id = self.declare_buffer(&NewBuffer {
            name: &buffer.name,
            element: &buffer.element,
            shape,
            memory: memory(buffer.host.as_ref()),
            origin: Origin::Static(self.program.statics.len() as u32),
            lists: 0,
            structure: false,
        });
        self.name_buffer(buffer, id, &shape, None);
        if let Some(value) = &buffer.value {
            let target = check_buffer(&whole(&buffer.name), buffer.name.clone());
            let value = self.fill_value((&buffer.name, target), value);
            self.program.statics.push(value);
        }
        self.statics.push((buffer.name.clone(), (*buffer.element).clone()));
    }

    fn refuse_in_body(&mut self, buffer: &Transient) {
        if self.region() == RegionId::GRAPH && self.scopes.is_outermost() {
            return;
        }
        let place = self.place(buffer.name.span());
        let around = self.bodies.last().map(|body| (body.word, body.span));
        let around = around.map(|(word, span)| (word, self.place(span)));
        self.report(&statics::static_in_body(&buffer.name.to_string(), place, around));
    }

    /// The graph has a view of each `static`, which must not hide another method.
    fn refuse_method(&mut self, buffer: &Transient) {
        let name = &buffer.name;
        let views = [name.clone(), format_ident!("{name}_mut")];
        let taken = views.into_iter().find(|view| self.methods.iter().any(|method| view == method));
        if let Some(method) = taken {
            let message = format!("the graph would have two methods named `{method}`");
            let fault = Diagnostic::error(Code::DUPLICATE_NAME, name.span(), message);
            self.diagnose(
                fault.note("a `static` buffer `s` has the methods `s` and `s_mut`").help("rename the `static`"),
            );
        }
        self.methods.extend([name.to_string(), format!("{name}_mut")]);
    }
}
