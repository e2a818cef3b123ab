//! One text's place in a grammar.
use anyhow::{bail, Result};
use llguidance::{
    api::{StopReason, TopLevelGrammar},
    earley::{BiasComputer, ParserRecognizer},
    toktrie::{SimpleVob, TokEnv, TokTrie},
    ParserFactory, TokenParser,
};

/// A parser for a grammar, at the beginning of the text.
pub fn parser(factory: &ParserFactory, kind: u32, source: &str) -> Result<TokenParser> {
    let tag = if kind == 0 { "json_schema" } else { "lark" };
    let mut parser = factory.create_parser(TopLevelGrammar::from_tagged_str(tag, source)?)?;
    parser.start_without_prompt();
    Ok(parser)
}

/// Gives the lexer its steps anew. The parser does so for a mask only, and ids that come without one between them, as in
/// going to a saved place, would use up those of a single one.
pub fn refuel(parser: &mut TokenParser) {
    let tokens = parser.token_env.clone();
    // with bytes in front, the mask is neither kept nor looked up
    parser.parser.compute_bias(&NoMask(tokens), b" ");
}

struct NoMask(TokEnv);

impl BiasComputer for NoMask {
    fn compute_bias(&self, _: &mut ParserRecognizer<'_>, _: &[u8]) -> SimpleVob {
        SimpleVob::new()
    }
    fn trie(&self) -> &TokTrie {
        self.0.tok_trie()
    }
}

/// End ids are not told to the parser: whoever holds the matcher knows that the text ended.
pub struct Matcher {
    parser: TokenParser,
    /// Of this place; None until somebody asks.
    mask: Option<SimpleVob>,
}

impl Matcher {
    /// The matcher and the parser's warnings. The first mask is made too, so that what fails there is refused.
    pub fn new(factory: &ParserFactory, kind: u32, source: &str) -> Result<(Self, Vec<String>)> {
        let mut matcher = Matcher { parser: parser(factory, kind, source)?, mask: None };
        if matcher.mask()?.iter().all(|&word| word == 0) {
            bail!("no text of this vocabulary fits it");
        }
        let warnings = matcher.parser.grammar_warnings();
        Ok((matcher, warnings))
    }

    /// With caches of its own: a limit that one of them meets is none of the other's.
    pub fn deep_clone(&self) -> Self {
        Matcher { parser: self.parser.deep_clone(), mask: self.mask.clone() }
    }

    /// All zeros where no token of the vocabulary fits.
    pub fn mask(&mut self) -> Result<&[u32]> {
        if self.mask.is_none() {
            let made = self.parser.compute_mask();
            self.mask = Some(match made {
                Err(_) if self.is_stuck() => self.parser.token_env.tok_trie().alloc_token_set(),
                made => made?,
            });
        }
        Ok(self.mask.as_ref().unwrap().as_slice())
    }

    /// Whether the id was allowed.
    pub fn advance(&mut self, id: u32) -> Result<bool> {
        refuel(&mut self.parser);
        if !self.allows(id)? {
            return Ok(false);
        }
        self.mask = None;
        if self.parser.consume_token(id)? != 0 {
            bail!("the grammar takes back what was written");
        }
        Ok(true)
    }

    pub fn rollback(&mut self, count: usize) -> Result<()> {
        if count > 0 {
            self.mask = None;
        }
        self.parser.rollback(count)
    }

    pub fn accepting(&mut self) -> Result<bool> {
        refuel(&mut self.parser);
        let accepting = self.parser.is_accepting();
        if let Some(error) = self.parser.parser.get_error() {
            bail!(error.message());
        }
        Ok(accepting)
    }

    pub fn forced(&self) -> Vec<u8> {
        let mut parser = self.parser.deep_clone();
        refuel(&mut parser);
        parser.force_bytes()
    }

    fn is_stuck(&self) -> bool {
        self.parser.stop_reason() == StopReason::NoExtensionBias
    }

    fn allows(&mut self, id: u32) -> Result<bool> {
        if let Some(mask) = &self.mask {
            return Ok(mask.is_allowed(id));
        }
        let allowed = self.parser.validate_token(id)?;
        if let Some(error) = self.parser.parser.get_error() {
            bail!(error.message());
        }
        Ok(allowed)
    }
}
