//! The tokens of a model as a trie, and the factory of parsers over it.
use anyhow::{anyhow, Result};
use llguidance::{
    toktrie::{InferenceCapabilities, TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv},
    ParserFactory,
};
use std::sync::Arc;

/// Tokens without a tokenizer: the engine is never asked to cut a text into them, but for its own greedy way.
struct Tokens(TokTrie);

impl TokenizerEnv for Tokens {
    fn tok_trie(&self) -> &TokTrie {
        &self.0
    }
    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        self.0.greedy_tokenize(bytes)
    }
    /// So that a mask has every id whose bytes fit, not only those of one way to cut the text.
    fn tokenize_is_canonical(&self) -> bool {
        false
    }
}

pub struct Builder {
    words: Vec<Vec<u8>>,
    trie: Option<TokTrie>,
}

impl Builder {
    pub fn new(vocab_size: usize) -> Self {
        Builder { words: Vec::with_capacity(vocab_size), trie: None }
    }

    pub unsafe fn add(&mut self, lengths: &[u32], mut bytes: *const u8) {
        for &length in lengths {
            self.words.push(std::slice::from_raw_parts(bytes, length as usize).to_vec());
            bytes = bytes.add(length as usize);
        }
    }

    pub fn build_trie(&mut self, ends: &[u32]) {
        let words = std::mem::take(&mut self.words);
        let trie = TokTrie::from(&TokRxInfo::new(words.len() as u32, ends[0]), &words);
        self.trie = Some(if ends.len() > 1 { trie.with_eos_tokens(ends) } else { trie });
    }

    pub fn finish(self) -> Result<Vocabulary> {
        let trie = self.trie.ok_or_else(|| anyhow!("no trie"))?;
        let tokens: TokEnv = Arc::new(Tokens(trie));
        let factory = quiet(ParserFactory::new_simple(&tokens)?);
        let bytes: Vec<Vec<u8>> = (0..=256u32).map(|b| if b < 255 { vec![b as u8] } else { vec![] }).collect();
        let bytes: TokEnv = Arc::new(Tokens(TokTrie::from(&TokRxInfo::new(257, 256), &bytes)));
        let bytes = quiet(ParserFactory::new(&bytes, InferenceCapabilities::default(), &[])?);
        Ok(Vocabulary { tokens, factory, bytes })
    }
}

fn quiet(mut factory: ParserFactory) -> ParserFactory {
    factory.quiet();
    factory.limits_mut().verbose_errors = false;
    factory
}

pub struct Vocabulary {
    pub tokens: TokEnv,
    pub factory: ParserFactory,
    /// For single bytes: in them a closing is looked for.
    pub bytes: ParserFactory,
}

impl Vocabulary {
    pub fn limit(&mut self, which: u32, value: usize) {
        for factory in [&mut self.factory, &mut self.bytes] {
            let limits = factory.limits_mut();
            match which {
                0 => limits.initial_lexer_fuel = value as u64,
                1 => limits.step_lexer_fuel = value as u64,
                2 => limits.step_max_items = value,
                3 => limits.max_lexer_states = value,
                4 => limits.max_grammar_size = value,
                _ => limits.max_items_in_row = value,
            }
        }
    }
}
