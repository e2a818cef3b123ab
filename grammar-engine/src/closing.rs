//! How a text can be ended: the fewest bytes found, as tokens.
//!
//! The search runs over single bytes, in a parser of its own that has them all as tokens. Its steps are counted, so that
//! every machine finds the same. Two states are held to be the same when the parser came to its rows in the same way and the
//! lexer is in the same state.
use crate::{
    matcher::{parser, refuel},
    vocabulary::Vocabulary,
};
use anyhow::{bail, Result};
use llguidance::{
    earley::ParserRecognizer,
    toktrie::{Recognizer, SimpleVob, TokEnv, TokTrie},
    TokenParser,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, HashMap},
};

/// Steps of the search for the very shortest; a greedy one takes the rest.
const EXACT_STEPS: usize = 400;
/// The longest token that an end is made of.
const LONGEST_TOKEN: usize = 32;
/// Weight of an open bracket in the greedy search.
const GREEDY_WEIGHT: u32 = 6;
/// Places whose ends are remembered.
const MOST_KNOWN: usize = 20_000;

/// A state's rows and its lexer's state.
type Key = (u64, u32);

pub struct Closing {
    parser: TokenParser,
    tokens: TokEnv,
    /// Ids with bytes, in the order of their bytes.
    sorted: Vec<u32>,
    /// How many bytes each token so far had, and the state after it.
    path: Vec<(usize, Key)>,
    /// By state, how many tokens end the text: of the first end found, and of the shortest that was looked for.
    known: HashMap<Key, Known>,
    mask: SimpleVob,
    /// Whether the text is JSON, whose brackets and quotes guide the search.
    is_json: bool,
}

impl Closing {
    pub fn new(vocabulary: &Vocabulary, kind: u32, source: &str) -> Result<Self> {
        let tokens = vocabulary.tokens.clone();
        let trie = tokens.tok_trie();
        let mut sorted: Vec<u32> = (0..trie.vocab_size() as u32).filter(|&id| !trie.token(id).is_empty()).collect();
        sorted.sort_by(|&a, &b| trie.token(a).cmp(trie.token(b)));
        let mask = trie.alloc_token_set();
        let parser = parser(&vocabulary.bytes, kind, source)?;
        Ok(Closing { parser, tokens, sorted, path: vec![], known: HashMap::new(), mask, is_json: kind == 0 })
    }

    /// Whether the id was allowed.
    pub fn advance(&mut self, id: u32) -> Result<bool> {
        let tokens = self.tokens.clone();
        let bytes = tokens.tok_trie().token(id);
        refuel(&mut self.parser);
        let Some(key) = self.after(bytes) else { return self.check().map(|()| false) };
        for &byte in bytes {
            self.parser.consume_token(byte as u32)?;
        }
        self.check()?;
        self.path.push((bytes.len(), key));
        Ok(true)
    }

    pub fn rollback(&mut self, count: usize) -> Result<()> {
        let kept = self.path.len() - count;
        let bytes = self.path.drain(kept..).map(|(length, _)| length).sum();
        self.parser.rollback(bytes)
    }

    /// Ids that end the text, as few as `steps` show; None where they show no end.
    pub fn plan(&mut self, steps: usize) -> Result<Option<Vec<u32>>> {
        let exact = self.end(steps.min(EXACT_STEPS), false)?.ids;
        let first = self.end(steps, true)?.ids;
        Ok(exact.into_iter().chain(first).min_by_key(Vec::len))
    }

    /// Tokens after which at most `left` complete the text, as far as `steps` for each state after a token show, and
    /// `steps_together` for all of them, those of the first tokens first. A search that was made before counts as if it were
    /// made again, so that the answer is the same whatever came before.
    pub fn mask(&mut self, left: usize, steps: usize, mut steps_together: usize) -> Result<&[u32]> {
        refuel(&mut self.parser);
        let mut groups: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
        self.walk(|id, key| groups.entry(key).or_default().push(id));
        self.check()?;
        self.mask.set_all(false);
        let mut groups: Vec<(Key, Vec<u32>)> = groups.into_iter().collect();
        groups.sort_by_key(|(_, ids)| ids[0]);
        for (key, ids) in groups {
            let (fits, spent) = self.fits(key, ids[0], left, steps)?;
            if spent > steps_together {
                break;
            }
            steps_together -= spent;
            if fits {
                ids.iter().for_each(|&id| self.mask.allow_token(id));
            }
        }
        Ok(self.mask.as_slice())
    }

    /// Whether at most `left` tokens are known to complete the text after `id`, which leads to `key`, and in how many steps
    /// that is found.
    fn fits(&mut self, key: Key, id: u32, left: usize, steps: usize) -> Result<(bool, usize)> {
        if let Some(answer) = self.known.get(&key).and_then(|known| known.fits(left)) {
            return Ok(answer);
        }
        if !self.advance(id)? {
            bail!("a token is not what it was");
        }
        let answer = self.look(steps, left);
        self.rollback(1)?;
        answer
    }

    /// Looks for an end of at most `left` tokens from here, by the greedy search and where that finds none by the other.
    fn look(&mut self, steps: usize, left: usize) -> Result<(bool, usize)> {
        let key = self.key();
        let mut known = self.known.get(&key).copied().unwrap_or_default();
        if known.first.is_none() {
            known.first = Some(self.end(steps, true)?.counted());
        }
        if known.fits(left).is_none() {
            known.exact = Some(self.end(steps.min(EXACT_STEPS), false)?.counted());
        }
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, known);
        Ok(known.fits(left).unwrap_or_default())
    }

    /// An end that is found in `steps`.
    fn end(&mut self, steps: usize, greedy: bool) -> Result<End> {
        let (bytes, steps) = self.search(steps, greedy);
        self.check()?;
        Ok(End { ids: bytes.and_then(|bytes| fewest_tokens(self.tokens.tok_trie(), &bytes)), steps })
    }

    /// The state here.
    fn key(&self) -> Key {
        self.path.last().map_or((1, 0), |&(_, key)| key)
    }

    /// The state after `bytes`; None where they may not come.
    fn after(&mut self, bytes: &[u8]) -> Option<Key> {
        let mut key = Some(self.key());
        self.parser.parser.with_recognizer(|recognizer| {
            recognizer.trie_started("closing");
            for &byte in bytes {
                key = key.and_then(|(rows, _)| step(recognizer, rows, byte));
            }
            recognizer.trie_finished();
        });
        key
    }

    /// A parser that met a limit says nothing that is to be relied on.
    fn check(&self) -> Result<()> {
        match self.parser.parser.get_error() {
            Some(error) => bail!(error.message()),
            None => Ok(()),
        }
    }

    /// Best first over bytes; also how many steps it took. Greedy: only from the furthest row reached.
    fn search(&mut self, steps: usize, greedy: bool) -> (Option<Vec<u8>>, usize) {
        let estimate = |json: &Json| if greedy { json.depth * GREEDY_WEIGHT + json.is_string as u32 } else { json.least() };
        let is_json = self.is_json;
        let start = if is_json { Json::after(self.parser.final_bytes()) } else { Json::default() };
        let mut nodes = vec![Node { parent: 0, byte: 0, cost: 0, rows: 1, json: start }];
        let mut heap = BinaryHeap::from([Reverse((estimate(&start), u32::MAX, 0u32))]);
        let mut best: HashMap<Key, u32> = HashMap::new();
        let (mut here, mut rows, mut found, mut taken) = (vec![], 1u64, None, 0);
        while taken < steps {
            taken += 1;
            let Some(Reverse((_, _, at))) = heap.pop() else { break };
            let Node { cost, rows: node_rows, json, .. } = nodes[at as usize];
            if greedy && node_rows != rows {
                rows = node_rows;
                heap.clear();
            }
            refuel(&mut self.parser);
            if self.go_to(&nodes, &mut here, at).is_err() {
                break;
            }
            if self.parser.is_accepting() {
                found = Some(here.iter().map(|&i: &u32| nodes[i as usize].byte).collect());
                break;
            }
            self.parser.parser.with_recognizer(|recognizer| {
                recognizer.trie_started("closing");
                for byte in (0..255u8).filter(|&byte| !is_json || json.is_string || !byte.is_ascii_whitespace()) {
                    let Some((rows, lexer)) = step(recognizer, node_rows, byte) else { continue };
                    recognizer.pop_bytes(1);
                    let (json, cost) = (if is_json { json.then(byte) } else { json }, cost + 1);
                    let known = best.entry((rows, lexer)).or_insert(u32::MAX);
                    if *known <= cost {
                        continue;
                    }
                    *known = cost;
                    nodes.push(Node { parent: at, byte, cost, rows, json });
                    heap.push(Reverse((cost + estimate(&json), u32::MAX - cost, nodes.len() as u32 - 1)));
                }
                recognizer.trie_finished();
            });
        }
        let back = self.parser.rollback(here.len());
        (found.filter(|_| back.is_ok()), taken)
    }

    /// Moves the parser from the node `here` ends with to `target`.
    fn go_to(&mut self, nodes: &[Node], here: &mut Vec<u32>, target: u32) -> Result<()> {
        let mut path = vec![];
        let mut at = target;
        while at != 0 {
            path.push(at);
            at = nodes[at as usize].parent;
        }
        path.reverse();
        let shared = here.iter().zip(&path).take_while(|(a, b)| a == b).count();
        self.parser.rollback(here.len() - shared)?;
        here.truncate(shared);
        for &node in &path[shared..] {
            self.parser.consume_token(nodes[node as usize].byte as u32)?;
            here.push(node);
        }
        Ok(())
    }

    /// Tells `tell` each id that is allowed here and the state after it.
    fn walk(&mut self, mut tell: impl FnMut(u32, Key)) {
        let (tokens, sorted, here) = (self.tokens.clone(), &self.sorted, self.key().0);
        let trie = tokens.tok_trie();
        self.parser.parser.with_recognizer(|recognizer| {
            recognizer.trie_started("closing");
            let (mut before, mut keys): (&[u8], Vec<Key>) = (&[], vec![]);
            // how many bytes of `before` there are up to the one that failed
            let mut failed = usize::MAX;
            for &id in sorted {
                let bytes = trie.token(id);
                let shared = before.iter().zip(bytes).take_while(|(a, b)| a == b).count();
                if shared >= failed {
                    continue;
                }
                failed = usize::MAX;
                if keys.len() > shared {
                    recognizer.pop_bytes(keys.len() - shared);
                    keys.truncate(shared);
                }
                before = bytes;
                for (i, &byte) in bytes.iter().enumerate().skip(keys.len()) {
                    match step(recognizer, keys.last().map_or(here, |key| key.0), byte) {
                        Some(key) => keys.push(key),
                        None => {
                            failed = i + 1;
                            break;
                        }
                    }
                }
                if failed == usize::MAX {
                    tell(id, keys[keys.len() - 1]);
                }
            }
            recognizer.trie_finished();
        });
    }
}

/// The state after `byte`, which stays pushed; None where it may not come.
fn step(recognizer: &mut ParserRecognizer, rows: u64, byte: u8) -> Option<Key> {
    let before = recognizer.lexer_state();
    let counted = count_rows(recognizer);
    if !recognizer.try_push_byte(byte) {
        return None;
    }
    let is_new = count_rows(recognizer) != counted;
    let rows = if is_new { mix(rows, before.as_u32(), byte) } else { rows };
    Some((rows, recognizer.lexer_state().as_u32()))
}

fn count_rows(recognizer: &mut ParserRecognizer) -> usize {
    let stats = recognizer.stats_mut();
    stats.rows + stats.cached_rows
}

fn mix(rows: u64, lexer: u32, byte: u8) -> u64 {
    let mixed = (rows ^ ((lexer as u64) << 9) ^ byte as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed.rotate_left(23) ^ 0x5851_F42D_4C95_7F2D
}

/// Ids that together have `bytes`, as few as there may be.
fn fewest_tokens(trie: &TokTrie, bytes: &[u8]) -> Option<Vec<u32>> {
    let mut fewest: Vec<Option<(u32, u32, usize)>> = vec![None; bytes.len() + 1];
    fewest[bytes.len()] = Some((0, 0, 0));
    for at in (0..bytes.len()).rev() {
        for length in 1..=(bytes.len() - at).min(LONGEST_TOKEN) {
            let Some((rest, _, _)) = fewest[at + length] else { continue };
            let Some(id) = trie.token_id_at_bytes(&bytes[at..at + length]) else { continue };
            if fewest[at].is_none_or(|(count, _, _)| rest + 1 < count) {
                fewest[at] = Some((rest + 1, id, length));
            }
        }
    }
    let (mut ids, mut at) = (vec![], 0);
    while at < bytes.len() {
        let (_, id, length) = fewest[at]?;
        ids.push(id);
        at += length;
    }
    Some(ids)
}

/// What a search came to.
struct End {
    ids: Option<Vec<u32>>,
    steps: usize,
}

impl End {
    fn counted(&self) -> Counted {
        Counted { tokens: self.ids.as_ref().map(Vec::len), steps: self.steps }
    }
}

/// How many tokens a search found, None where it found no end, and its steps.
#[derive(Clone, Copy)]
struct Counted {
    tokens: Option<usize>,
    steps: usize,
}

/// What is known of the ends from a state; None before it was looked for.
#[derive(Clone, Copy, Default)]
struct Known {
    /// By the greedy search.
    first: Option<Counted>,
    /// By the other one, which is made where the first did not find a short one.
    exact: Option<Counted>,
}

impl Known {
    /// Whether one of at most `left` is known, and the steps of the searches that say so; None where one may be found yet.
    fn fits(&self, left: usize) -> Option<(bool, usize)> {
        let is_short = |end: Counted| end.tokens.is_some_and(|tokens| tokens <= left);
        let first = self.first?;
        if is_short(first) {
            return Some((true, first.steps));
        }
        self.exact.map(|exact| (is_short(exact), first.steps + exact.steps))
    }
}

struct Node {
    parent: u32,
    byte: u8,
    cost: u32,
    rows: u64,
    json: Json,
}

/// What is open at this place of a JSON text; for other texts nothing ever is.
#[derive(Clone, Copy, Default)]
struct Json {
    depth: u32,
    is_string: bool,
    is_escape: bool,
}

impl Json {
    fn after(bytes: &[u8]) -> Json {
        bytes.iter().fold(Json::default(), |json, &byte| json.then(byte))
    }

    fn then(mut self, byte: u8) -> Json {
        match byte {
            _ if self.is_escape => self.is_escape = false,
            b'\\' if self.is_string => self.is_escape = true,
            b'"' => self.is_string = !self.is_string,
            b'{' | b'[' if !self.is_string => self.depth += 1,
            b'}' | b']' if !self.is_string => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self
    }

    fn least(&self) -> u32 {
        self.depth + self.is_string as u32
    }
}
