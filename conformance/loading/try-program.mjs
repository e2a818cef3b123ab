/**
 * Node, Bun and Deno: the program itself, a thread of it and, where there is one, a web worker.
 */
import { run } from '../engine.mjs';
import { versionOf, withProgram } from '../engines/command-line.mjs';
import { faultsOf } from './faults.mjs';

/**
 * What all engines are tried with: the folder of the programs, the pages, where the engine is, and what has to come of it.
 *
 * @typedef {{ folder: string, sites: object[], url: string, expected: object }} Setting
 */

/**
 * Each place of a program, with what is wrong there.
 *
 * @param {Setting} setting
 */
export async function tryProgram(name, { folder, url, expected }) {
  return withProgram(name, async (command) => {
    const args = [...command.args, ...command.forServer, 'program.mjs', url];
    const results = JSON.parse(await run(command.program, args, { cwd: folder, env: command.env }));
    const version = await versionOf(command);
    const places = Object.entries(results);
    return places.map(([place, result]) => ({ place: `${version}, ${place}`, faults: faultsOf(result, expected) }));
  });
}
