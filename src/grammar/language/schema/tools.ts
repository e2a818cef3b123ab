/**
 * Calls of tools: which one, and its arguments.
 */
import { readArray, readable } from '../../../inputs.js';
import { refusal } from '../refusal.js';
import { asJsonSchema } from './other-libraries.js';

/** A tool, or one in an object of its own, as in OpenAI's lists. */
export type Tool = ToolDefinition | { readonly type: 'function'; readonly function: ToolDefinition };

/** A tool under the names of OpenAI (`parameters`), MCP (`inputSchema`) or Anthropic (`input_schema`). */
export interface ToolDefinition {
  readonly type?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
  readonly inputSchema?: unknown;
  readonly input_schema?: unknown;
}

/** Where the schema of all has that of one. */
const ARGUMENTS_OF = /^tools\/anyOf\/(\d+)\/properties\/arguments/;

export interface ToolSchema {
  /** Of `{"name": …, "arguments": …}` for one of the tools. */
  readonly schema: object;
  /** A path in that schema as it is in the list of tools, such as `tools/0/parameters/type`. */
  pathOf(path: string): string;
}

const ARGUMENTS = ['parameters', 'inputSchema', 'input_schema'] as const;

/** A tool without a schema takes any object. */
export function toolSchema(tools: readonly Tool[]): ToolSchema {
  const read = readArray('Grammars', 'tools', 'a non-empty array of tools', tools, (given, i) => {
    return readable('Grammars', `tools/${i}`, given, () => {
      const tool = unwrapped(given);
      return callSchema(tool, tool === given ? `tools/${i}` : `tools/${i}/function`);
    });
  });
  if (read.length === 0) throw refusal('tools', 'a non-empty array of tools', tools);
  const names = read.map(({ call }) => call.properties.name.const);
  const twice = names.findIndex((name, i) => names.indexOf(name) !== i);
  if (twice >= 0) throw refusal(`tools/${twice}/name`, 'another name than those before it', names[twice]);
  const pathOf = (path: string) => path.replace(ARGUMENTS_OF, (_, i) => (read[i] as (typeof read)[number]).path);
  return { schema: { anyOf: read.map(({ call }) => call) }, pathOf };
}

function unwrapped(tool: unknown): ToolDefinition {
  const { type, function: inner } = (tool ?? {}) as { type?: unknown; function?: unknown };
  return (type === 'function' && inner !== undefined ? inner : tool) as ToolDefinition;
}

/** The schema of calls of one tool, and where that of its arguments stands. */
function callSchema(tool: ToolDefinition, path: string) {
  if (typeof tool?.name !== 'string' || tool.name === '')
    throw refusal(`${path}/name`, 'a non-empty string', tool?.name);
  const given = ARGUMENTS.filter((key) => tool[key] !== undefined);
  if (given.length > 1) throw refusal(path, `a tool with one of ${ARGUMENTS.join(', ')}`, tool);
  const [key] = given;
  const schema = key === undefined ? { type: 'object' } : asResource(asJsonSchema(tool[key], `${path}/${key}`), path);
  const call = {
    type: 'object',
    properties: { name: { const: tool.name }, arguments: schema },
    required: ['name', 'arguments'],
    additionalProperties: false,
  } as const;
  return { call, path: `${path}/${key}` };
}

/** References of a tool's schema are to parts of that schema: with an id it is a resource of its own. */
function asResource(schema: unknown, path: string): unknown {
  const isPlain = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  return isPlain && !('$id' in schema) ? { $id: `json-schema:///${path}`, ...schema } : schema;
}
