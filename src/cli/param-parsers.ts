/**
 * Values as the command line writes them. What is none is passed on as it is, for the schema to refuse and to show.
 */

/** The parameters that are not plain numbers, by their wire names. */
export const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  stop: (text) => [text],
  seed: parseSeed,
  logit_bias: parseJson,
  stop_token_ids: (text) => (text.trim() === '' ? [] : text.split(',').map(parseNumber)),
};

/** The number that `text` writes, or the text itself. */
export function parseNumber(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

function parseSeed(text: string): number | bigint | string {
  const value = parseNumber(text);
  return typeof value === 'number' && /^\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
