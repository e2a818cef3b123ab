/**
 * The bytes that a `data:` URL holds.
 *
 * Bundlers write small files into their output as such URLs. They are not fetched: a content security policy that allows a
 * page its own server alone forbids that.
 */

/** Base64, or characters of which any may be written as `%` and two digits. Throws for a URL that is neither. */
export function dataUrlBytes(url: URL): Uint8Array<ArrayBuffer> {
  const text = url.pathname + url.search;
  const comma = text.indexOf(',');
  if (comma < 0) throw new Error('a data: URL without a comma');
  const written = text.slice(comma + 1).replace(/%([0-9a-f]{2})/gi, (_, digits) => characterOf(digits));
  const bytes = /; *base64$/i.test(text.slice(0, comma)) ? atob(written) : written;
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

function characterOf(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}
