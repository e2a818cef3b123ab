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

const ARGUMENTS = ['parameters', 'inputSchema', 'input_schema'] as const;

/** The schema of `{"name": …, "arguments": …}` for one of `tools`; a tool without a schema takes any object. */
export function toolSchema(tools: readonly Tool[]): object {
  const calls = readArray('Grammars', 'tools', 'a non-empty array of tools', tools, (given, i) => {
    return readable('Grammars', `tools/${i}`, given, () => callSchema(unwrapped(given), `tools/${i}`));
  });
  if (calls.length === 0) throw refusal('tools', 'a non-empty array of tools', tools);
  const names = calls.map(({ properties }) => properties.name.const);
  const twice = names.findIndex((name, i) => names.indexOf(name) !== i);
  if (twice >= 0) throw refusal(`tools/${twice}/name`, 'another name than those before it', names[twice]);
  return { anyOf: calls };
}

function unwrapped(tool: unknown): ToolDefinition {
  const { type, function: inner } = (tool ?? {}) as { type?: unknown; function?: unknown };
  return (type === 'function' && inner !== undefined ? inner : tool) as ToolDefinition;
}

function callSchema(tool: ToolDefinition, path: string) {
  if (typeof tool?.name !== 'string' || tool.name === '')
    throw refusal(`${path}/name`, 'a non-empty string', tool?.name);
  const given = ARGUMENTS.filter((key) => tool[key] !== undefined);
  if (given.length > 1) throw refusal(path, `a tool with one of ${ARGUMENTS.join(', ')}`, tool);
  const [key] = given;
  const schema = key === undefined ? { type: 'object' } : asResource(asJsonSchema(tool[key], `${path}/${key}`), path);
  return {
    type: 'object',
    properties: { name: { const: tool.name }, arguments: schema },
    required: ['name', 'arguments'],
    additionalProperties: false,
  } as const;
}

/** References of a tool's schema are to parts of that schema: with an id it is a resource of its own. */
function asResource(schema: unknown, path: string): unknown {
  const isPlain = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  return isPlain && !('$id' in schema) ? { $id: `json-schema:///${path}`, ...schema } : schema;
}
