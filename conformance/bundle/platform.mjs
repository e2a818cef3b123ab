/**
 * The few functions of a platform that the package needs and a bare engine lacks; they are evaluated before it.
 */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 to a string with a character a byte. */
globalThis.atob ??= (text) => {
  let bytes = '';
  let bits = 0;
  let count = 0;
  for (const letter of text.replace(/=+$/, '')) {
    bits = ((bits << 6) | LETTERS.indexOf(letter)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += String.fromCharCode((bits >> count) & 255);
  }
  return bytes;
};

/** UTF-8, both ways. */
globalThis.TextDecoder ??= class {
  decode(bytes) {
    let encoded = '';
    for (const byte of new Uint8Array(bytes)) encoded += `%${byte.toString(16).padStart(2, '0')}`;
    return decodeURIComponent(encoded);
  }
};
globalThis.TextEncoder ??= class {
  encode(text) {
    const encoded = encodeURIComponent(text).replace(/%(..)/g, (_, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    return Uint8Array.from(encoded, (letter) => letter.charCodeAt(0));
  }
};
