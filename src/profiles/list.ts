/**
 * The list of the profiles. To add one: an import and a line here.
 */
import type { Profile } from './profile.js';
import { huggingface } from './systems/huggingface.js';
import { llamaCpp } from './systems/llama-cpp.js';
import { mlxLm } from './systems/mlx-lm.js';
import { ollama } from './systems/ollama.js';
import { pvml } from './systems/pvml.js';
import { spec } from './systems/spec.js';
import { textGenerationWebui } from './systems/text-generation-webui.js';
import { vllm } from './systems/vllm.js';

export const PROFILES: readonly Profile[] = Object.freeze([
  spec,
  huggingface,
  llamaCpp,
  vllm,
  mlxLm,
  textGenerationWebui,
  ollama,
  pvml,
]);
