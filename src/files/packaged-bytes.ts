/**
 * A file of the package itself, where it was installed or where a bundler put it.
 */
import { readBytes, unreadable } from './read-bytes.js';

/**
 * The bytes of the file `name` at the URL that `locate` gives. Throws InvalidValueError in the name of `owner`; `other`
 * says how the file is handed over in a bundle that left it behind.
 */
export async function packagedBytes(
  locate: () => URL,
  name: string,
  owner: string,
  other: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const hint = ` (a bundle that does not take the package's files along hands them over: ${other})`;
  let url: URL;
  try {
    url = locate();
  } catch (cause) {
    throw unreadable(owner, name, `beside the package${hint}`, cause);
  }
  return readBytes(url, name, owner, hint);
}
