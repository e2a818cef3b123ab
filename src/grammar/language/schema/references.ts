/**
 * Where the references of a schema point to: JSON pointers, anchors and ids, each read against the resource that it stands
 * in. A schema with an `$id` is a resource of its own.
 */
import { refusal } from '../refusal.js';
import type { Json } from './copy-json.js';
import { isObject, type Schema } from './keywords.js';

const ROOT_URI = 'json-schema:///';
/** The most characters of an id and of a reference. */
const LONGEST_URI = 2000;

interface Resource {
  readonly uri: string;
  readonly root: Json;
  /** By name: `$anchor`, `$dynamicAnchor`, and up to draft 7 an id that is a fragment. */
  readonly anchors: Map<string, Schema>;
  /** What references within it come to, without and behind `#`: reading one takes longer than following it. */
  readonly read: Map<string, readonly string[]>;
}

export class References {
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<Json, Resource>();
  readonly #main: Resource;

  readonly #path: string;

  /** @param root a whole schema, named `path` in errors */
  constructor(root: Json, path = 'json_schema') {
    this.#path = path;
    this.#main = this.#open(idOf(root), ROOT_URI, root);
    this.#walk(root, this.#main);
  }

  /** What `schema.$ref` names; undefined where there is none, or nothing in this schema. */
  target(schema: Schema): Json | undefined {
    const { $ref } = schema;
    if (typeof $ref !== 'string' || $ref.length > LONGEST_URI) return undefined;
    const { uri, read } = this.#resourceOf.get(schema) ?? this.#main;
    const parts = read.get($ref) ?? absolute($ref, uri).split('#');
    read.set($ref, parts);
    const [base = '', fragment = ''] = parts;
    const resource = this.#resources.get(base);
    if (resource === undefined) return undefined;
    if (fragment === '') return resource.root;
    return fragment.startsWith('/') ? pointed(resource.root, fragment) : resource.anchors.get(fragment);
  }

  #open(id: string, base: string, root: Json): Resource {
    const [uri = ''] = absolute(id, base).split('#');
    if (uri.length > LONGEST_URI)
      throw refusal(this.#path, `a schema with ids of at most ${LONGEST_URI} characters`, id);
    const resource = { uri, root, anchors: new Map<string, Schema>(), read: new Map<string, readonly string[]>() };
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    return resource;
  }

  #walk(value: Json, around: Resource): void {
    if (Array.isArray(value)) for (const entry of value) this.#walk(entry, around);
    if (!isObject(value)) return;
    const id = idOf(value);
    const isResource = value !== around.root && id !== '' && !id.startsWith('#');
    const resource = isResource ? this.#open(id, around.uri, value) : around;
    this.#resourceOf.set(value, resource);
    for (const anchor of [value.$anchor, value.$dynamicAnchor, id.startsWith('#') ? id.slice(1) : '']) {
      if (typeof anchor === 'string' && anchor !== '') resource.anchors.set(anchor, value);
    }
    for (const entry of Object.values(value)) this.#walk(entry, resource);
  }
}

function idOf(schema: Json): string {
  const id = isObject(schema) ? (schema.$id ?? schema.id) : undefined;
  return typeof id === 'string' ? id : '';
}

/** A reference that is no URI stands for itself, and is found nowhere. */
function absolute(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

/** What `pointer` names within `root`. */
function pointed(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.slice(1).split('/')) {
    value = member(value, decoded(part));
    if (value === undefined) break;
  }
  return value;
}

function member(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A part of a JSON pointer in a URI; what is no valid percent code stands for itself. */
function decoded(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // as it is
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
