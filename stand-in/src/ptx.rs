//! What PTX text says of its kernels: names, parameters, and what they declare themselves.

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Offset and size of each parameter, in bytes.
    pub(crate) parameters: Vec<(usize, usize)>,
    /// Threads of a block, where the text bounds them.
    pub(crate) threads: Option<u32>,
    /// Shared memory that it declares, in bytes.
    pub(crate) shared: u32,
    /// Whether it waits for the kernels that it overlaps with.
    pub(crate) waits: bool,
}

/// The kernels of a text, or what cannot be read.
pub(crate) fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let text = without_comments(text);
    if !text.trim_start().starts_with(".version") {
        return Err("the text does not begin with `.version`".to_owned());
    }
    let (mut entries, mut rest) = (Vec::new(), text.as_str());
    while let Some(at) = rest.find(".entry") {
        rest = &rest[at + ".entry".len()..];
        let body = rest.find('{').ok_or("an entry has no body")?;
        let (head, behind) = rest.split_at(body);
        let end = end_of(behind).ok_or("an entry's body does not end")?;
        entries.push(entry(head, &behind[..end])?);
        rest = &behind[end..];
    }
    Ok(entries)
}

fn without_comments(text: &str) -> String {
    let lines = text.trim_end_matches('\0').lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Behind the brace that closes the first one.
fn end_of(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn entry(head: &str, body: &str) -> Result<Entry, String> {
    let name_end = head.find('(').unwrap_or(head.len());
    let name = head[..name_end].split_whitespace().next().ok_or("an entry has no name")?;
    let (parameters, behind) = match head[name_end..].strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((list, behind)) => (parameters(list)?, behind),
        None => (Vec::new(), &head[name_end..]),
    };
    let shared =
        body.split(';').filter_map(|line| line.trim_start().trim_start_matches('{').trim().strip_prefix(".shared"));
    Ok(Entry {
        name: name.to_owned(),
        parameters,
        threads: threads(behind),
        shared: shared.map(|line| variable(line).map_or(0, |(_, size)| size as u32)).sum(),
        waits: body.contains("griddepcontrol.wait"),
    })
}

fn parameters(list: &str) -> Result<Vec<(usize, usize)>, String> {
    let mut end = 0_usize;
    let declared = list.split(',').map(str::trim).filter(|one| !one.is_empty());
    let place = |one: &str| {
        let (align, size) = variable(one).ok_or_else(|| format!("the parameter `{one}` cannot be read"))?;
        let offset = end.next_multiple_of(align.max(1));
        end = offset + size;
        Ok((offset, size))
    };
    declared.map(place).collect()
}

/// Alignment and size of `.align 8 .b8 name[16]` or `.u64 name`.
fn variable(text: &str) -> Option<(usize, usize)> {
    let mut words = text.split_whitespace().filter(|word| *word != ".param");
    let (mut align, mut width) = (None, None);
    let mut name = "";
    while let Some(word) = words.next() {
        match word {
            ".align" => align = words.next()?.parse().ok(),
            ".ptr" | ".global" => {}
            kind if kind.starts_with('.') => width = width.or(bytes(kind)),
            other => name = other,
        }
    }
    let width = width?;
    let count = match name.split_once('[') {
        Some((_, count)) => count.trim_end_matches(']').parse().unwrap_or(0),
        None => 1,
    };
    Some((align.unwrap_or(width), width * count))
}

fn bytes(kind: &str) -> Option<usize> {
    let bits: usize = kind.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()?;
    Some(bits / 8)
}

/// The product behind `.maxntid` or `.reqntid`.
fn threads(text: &str) -> Option<u32> {
    let at = [".maxntid", ".reqntid"].iter().find_map(|word| Some(text.find(word)? + word.len()))?;
    let sizes = text[at..].split(',').map(|size| size.split_whitespace().next()?.parse::<u32>().ok());
    Some(sizes.map_while(|size| size).product())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_its_parameters_where_c_puts_them() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n// .entry no\n.visible .entry sweep(\n .param .u64 x,\n\
                    .param .u32 n, .param .align 8 .b8 pair[16], .param .f32 by\n)\n.maxntid 128, 2, 1\n{\n\
                    .shared .align 4 .b8 tile[512];\n{ ret; }\n}\n.entry none { griddepcontrol.wait; }";
        let found = entries(text).unwrap();
        assert_eq!(found[0].name, "sweep");
        assert_eq!(found[0].parameters, [(0, 8), (8, 4), (16, 16), (32, 4)]);
        assert_eq!((found[0].threads, found[0].shared, found[0].waits), (Some(256), 512, false));
        assert_eq!((found[1].name.as_str(), found[1].parameters.len(), found[1].waits), ("none", 0, true));
    }

    #[test]
    fn what_is_no_ptx_is_told() {
        assert!(entries("\u{7f}ELF").is_err());
        assert_eq!(entries(".version 8.0\n.entry open {").unwrap_err(), "an entry's body does not end");
    }
}
