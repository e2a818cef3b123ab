/**
 * A thread of node:worker_threads: goes all ways to the engine, that of a module from its parent among them.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { runWays } from './app/run-ways.mjs';

parentPort.postMessage(await runWays(workerData.url, workerData.module));
