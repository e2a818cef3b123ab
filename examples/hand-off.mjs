/**
 * A request moves to another process in the middle, through Redis: the first one is killed after its seventh token, and the
 * second goes on with the same ids, logprobs and pieces of text as if nothing had been.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generate, restoreGeneration } from 'lockstep';
import { loadEmbedded } from 'lockstep/embedded';
import { openBox, startBox } from './hand-off-box.mjs';

const PROMPT = 'And the king said';
const PARAMS = { seed: 2n ** 63n + 5n, top_p: 0.95, repetition_penalty: 1.2, stop: ['with wine'], max_tokens: 24 };
const KILLED_AFTER = 7;

const { model, tokenizer } = await loadEmbedded();
const [, , role, address] = process.argv;
if (role === undefined) await compare();
else await work(await openBox(address), role === 'first' ? KILLED_AFTER : Infinity);

/** A worker: goes on with what is in the box, or begins, and leaves a letter after each token. */
async function work(box, standsStillAfter) {
  const letter = JSON.parse(await box.get());
  const events = letter?.events ?? [];
  const generation =
    letter === null ? generate(model, tokenizer, PROMPT, PARAMS) : restoreGeneration(model, tokenizer, letter.state);
  for await (const { timing, ...event } of generation) {
    events.push(event);
    await box.set(JSON.stringify({ events, state: generation.save() }));
    if (events.length === standsStillAfter) {
      console.log('saved');
      await sleep(60_000); // until it is killed
    }
  }
  box.close();
}

async function compare() {
  const stayed = [];
  for await (const { timing, ...event } of generate(model, tokenizer, PROMPT, PARAMS)) stayed.push(event);

  const { address, words, end } = await startBox();
  const box = await openBox(address);
  const first = startWorker('first', address);
  await once(first.stdout, 'data');
  first.kill('SIGKILL');
  await once(first, 'exit');
  const { state } = JSON.parse(await box.get());
  const second = startWorker('second', address);
  await once(second, 'exit');
  const { events: moved } = JSON.parse(await box.get());
  box.close();
  await end();

  const ids = (events) => events.flatMap(({ id }) => id ?? []).join(' ');
  const same = JSON.stringify(moved) === JSON.stringify(stayed); // JSON keeps every bit of a number
  console.log(`through ${words}`);
  console.log(`letter  ${JSON.stringify(state)}`);
  console.log(`stayed  ${ids(stayed)}`);
  console.log(`moved   ${ids(moved)}`);
  console.log(`text    ${JSON.stringify(moved.map(({ text }) => text).join(''))}`);
  console.log(same ? 'the same ids, the same text and the same bits of every logprob' : 'THEY DIFFER');
  if (!same) process.exitCode = 1;
}

function startWorker(role, address) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  return spawn(process.execPath, [fileURLToPath(import.meta.url), role, address], { stdio });
}
