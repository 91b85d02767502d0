// SPDX-License-Identifier: MIT
// A server on stdio, spoken to in raw lines: for what no client library would send, and for what it would not show.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export const modernVersion = '2026-07-28';
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class Server {
  #child;
  #lines = [];
  #waiting = [];
  #pings = 0;
  #exit;
  stderr = '';

  constructor(command, ...args) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stderr.setEncoding('utf8').on('data', text => (this.stderr += text));
    this.#child.stdin.on('error', () => {});  // a server that died says so by its exit
    this.#exit = new Promise(resolve => this.#child.on('close', (code, signal) => resolve({ code, signal })));
    this.#exit.then(({ code, signal }) => this.#deliver(new Error(`the server ended: code ${code}, signal ${signal}\n${this.stderr}`)));
    createInterface({ input: this.#child.stdout, crlfDelay: Infinity }).on('line', line => this.#deliver(line));
  }

  #deliver(line) {
    const waiting = this.#waiting.shift();
    if (!waiting) this.#lines.push(line);
    else if (line instanceof Error) waiting.reject(line);
    else waiting.resolve(line);
  }

  /// Writes bytes as they are. Resolves once the pipe has room for more.
  async write(bytes) {
    if (!this.#child.stdin.write(bytes)) await new Promise(resolve => this.#child.stdin.once('drain', resolve));
  }

  /// The next line the server writes. Rejects when it has ended, or says nothing for too long.
  async line(seconds = 30) {
    const next = this.#lines.shift();
    if (next instanceof Error) throw next;
    if (next !== undefined) return next;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no line from the server within ${seconds} s`)), seconds * 1000);
      const settle = how => value => { clearTimeout(timer); how(value); };
      this.#waiting.push({ resolve: settle(resolve), reject: settle(reject) });
    });
  }

  /// Sends one request and gives its answer, as a message.
  async request(message) {
    await this.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
    return JSON.parse(await this.line());
  }

  /// Everything the server answers to `bytes`, as messages. A ping behind them tells where the answers end, and that the
  /// server is still there.
  async answers(bytes) {
    await this.write(bytes);
    return this.answersSoFar();
  }

  /// Everything the server has answered since the last ping.
  async answersSoFar() {
    const id = `ping-${++this.#pings}`;
    await this.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }) + '\n');
    const messages = [];
    for (;;) {
      const message = JSON.parse(await this.line());
      if (message.id !== id) messages.push(message);
      else if (JSON.stringify(message.result) === '{}') return messages;
      else throw new Error(`ping was answered with ${JSON.stringify(message)}`);
    }
  }

  /// Closes the server's input and waits for its end: {code, signal, lines} with the lines nobody has read.
  async end(lastBytes = '') {
    this.#child.stdin.end(lastBytes);
    const exit = await this.#exit;
    return { ...exit, lines: this.#lines.filter(line => typeof line === 'string') };
  }

  kill() {
    this.#child.kill();
  }
}
