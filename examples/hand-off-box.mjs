/**
 * Where one process leaves a letter for another: a Redis server of our own, or a file where there is no redis-server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const KEY = 'lockstep:letter';

/** Starts a box in a folder of its own: where it is, in words too, and how to end it. */
export async function startBox() {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  const path = join(folder, 'redis.sock');
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', ''], { stdio: 'ignore' });
  const started = await once(server, 'spawn').then(
    () => true,
    () => false,
  );
  const end = async () => {
    if (server.pid !== undefined && server.kill()) await once(server, 'exit');
    await rm(folder, { recursive: true });
  };
  if (started) return { address: path, words: 'Redis', end };
  return { address: join(folder, 'letter.json'), words: 'a file: there is no redis-server here', end };
}

/** The box at `address`: `get` gives the letter or null, `set` leaves one, `close` goes away. */
export async function openBox(address) {
  return address.endsWith('.sock') ? redisBox(await reach(address)) : fileBox(address);
}

function fileBox(path) {
  return {
    get: () => readFile(path, 'utf8').catch(() => null),
    async set(letter) {
      await writeFile(`${path}.new`, letter);
      await rename(`${path}.new`, path); // the whole letter or none of it
    },
    close() {},
  };
}

/** Two commands of Redis's protocol: `*2 $3 GET $15 lockstep:letter` is answered `$9 the bytes` or `$-1`. */
function redisBox(socket) {
  async function ask(...words) {
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
    for (let bytes = Buffer.alloc(0); ; ) {
      bytes = Buffer.concat([bytes, ...(await once(socket, 'data'))]);
      const end = bytes.indexOf('\r\n');
      const head = bytes.toString('utf8', 1, end);
      if (end < 0) continue;
      if (bytes[0] === '-'.charCodeAt(0)) throw new Error(`Redis: ${head}`);
      if (bytes[0] === '+'.charCodeAt(0)) return head;
      if (head === '-1') return null;
      const from = end + 2;
      if (bytes.length >= from + Number(head) + 2) return bytes.toString('utf8', from, from + Number(head));
    }
  }
  return { get: () => ask('GET', KEY), set: (letter) => ask('SET', KEY, letter), close: () => socket.destroy() };
}

/** A connection, as soon as the server listens. */
async function reach(path) {
  for (let attempt = 0; ; attempt++) {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(50);
    }
  }
}
