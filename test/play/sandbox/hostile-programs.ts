import type { FailureReason, SandboxLimits } from '../../../shared/play/sandbox/program.ts'

/** A program that means harm, and how the sandbox must hold it. */
export interface HostileProgram {
  name: string
  code: string
  limits?: Partial<SandboxLimits>
  /** How many of its actions are answered. */
  answers?: number
  /** A failure's reason; `acts …`: the action that it stands at; `timeout`: only the backstop ends it. */
  ends: FailureReason | `acts ${string}` | 'timeout' | 'ended'
  /** What it printed, where that shows what it could not reach. */
  printed?: string[]
}

const backstop = { time: 300 }
const fewInterrupts = { interrupts: 20 }

/** Endless work. */
const loops: HostileProgram[] = [
  { name: 'an empty endless loop', code: 'for (;;);', ends: 'interrupted' },
  {
    name: 'a loop that counts',
    code: 'let n = 0; while (true) n += 1',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'a loop that catches its own end',
    code: 'for (;;) { try { for (;;); } catch { continue } finally { continue } }',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'a finally that goes on after the end',
    code: 'try { for (;;); } finally { for (;;) act("more") }',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  { name: 'labels that jump back', code: 'a: for (;;) { b: for (;;) continue a }', ends: 'interrupted' },
  {
    name: 'a generator that never ends',
    code: 'function* all() { for (;;) yield 1 } for (const one of all()) one',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'an iterator that is spread for ever',
    code: 'const all = { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }; const [...a] = all',
    ends: 'interrupted',
  },
  {
    name: 'an async loop that awaits settled promises',
    code: 'async function main() { for (;;) await null } main()',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'async loops that swallow the end of each other',
    code: 'for (;;) (async () => { for (;;); })()',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'a promise chain that never ends',
    code: 'const again = () => { Promise.resolve().then(again) }; again()',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'a promise that waits for ever longer chains',
    code: 'const again = () => Promise.resolve().then(again); again()',
    ends: 'memory',
  },
  { name: 'a promise that is never settled', code: 'await new Promise(() => {})', ends: 'thrown' },
  {
    name: 'a regular expression that backtracks for ever',
    code: '/(a+)+$/.test("a".repeat(40) + "b")',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'a comparator that never agrees',
    code: 'for (;;) Array.from({ length: 1000 }, (_, i) => i).sort(() => Math.random() - 0.5)',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'a built-in that walks a length of 2^53',
    code: 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    limits: backstop,
    ends: 'timeout',
  },
  { name: 'a billion holes as text', code: 'new Array(1e9) + ""', limits: backstop, ends: 'timeout' },
  {
    name: 'a million actions',
    code: 'for (let i = 0; i < 1e6; i += 1) act("wait")',
    answers: 1000,
    ends: 'interrupted',
  },
]

/** Hunger for memory and stack. */
const bombs: HostileProgram[] = [
  { name: 'an array that grows', code: 'const a = []; for (;;) a.push([a.length])', ends: 'memory' },
  {
    name: 'an array that grows whatever is thrown',
    code: 'const a = []; for (;;) try { a.push(new ArrayBuffer(1e6)) } catch { continue }',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  { name: 'a text that doubles', code: 'let s = "x"; for (;;) s = [s, s].join("")', ends: 'memory' },
  { name: 'a text repeated a billion times', code: '"x".repeat(2 ** 29)', ends: 'memory' },
  { name: 'a buffer of a gigabyte', code: 'new ArrayBuffer(2 ** 30)', ends: 'memory' },
  { name: 'shared memory of a gigabyte', code: 'new SharedArrayBuffer(2 ** 30)', ends: 'memory' },
  { name: 'JSON of a huge array', code: 'JSON.stringify(new Array(5e6).fill("long text"))', ends: 'memory' },
  { name: 'a spread of millions', code: 'Math.max(...new Array(3e6).fill(1))', ends: 'memory' },
  { name: 'a number with a million digits, squared on', code: 'let n = 2n; for (;;) n *= n', ends: 'thrown' },
  {
    name: 'String.raw without an end',
    code: 'String.raw({ raw: { length: 2 ** 32 } })',
    limits: backstop,
    ends: 'timeout',
  },
  { name: 'recursion', code: 'function f() { f() } f()', ends: 'stack' },
  { name: 'recursion through toString', code: 'const o = { toString: () => "" + o }; "" + o', ends: 'stack' },
  {
    name: 'recursion through a proxy',
    code: 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x',
    ends: 'stack',
  },
  {
    name: 'recursion that catches the end of the stack',
    code: 'function f() { try { f() } catch { f() } } f()',
    limits: backstop,
    ends: 'timeout',
  },
  { name: 'JSON nested without end', code: 'JSON.parse("[".repeat(1e6))', ends: 'stack' },
  { name: 'source nested without end', code: '('.repeat(90_000), ends: 'stack' },
  { name: 'source nested without end, from within', code: 'eval("[".repeat(90000))', ends: 'stack' },
  {
    name: 'thousands of labels',
    code: `${Array.from({ length: 9_000 }, (_, i) => `l${i}:`).join('')};`,
    ends: 'stack',
  },
  { name: 'an identifier of megabytes', code: 'eval("var " + "x".repeat(2 ** 24))', ends: 'memory' },
  { name: 'code longer than any program', code: `/*${'x'.repeat(100_000)}*/`, ends: 'syntax' },
]

const reaches = (code: string) => `try { print(${code}) } catch (error) { print(error.name) }`

/** Reaching for the host. */
const escapes: HostileProgram[] = [
  { name: 'process', code: 'process.exit(1)', ends: 'thrown' },
  { name: 'require', code: 'require("fs").readFileSync("/etc/passwd")', ends: 'thrown' },
  { name: 'fetch', code: 'await fetch("http://169.254.169.254/")', ends: 'thrown' },
  { name: 'import()', code: 'await import("node:fs")', ends: 'thrown' },
  { name: 'an import statement', code: 'import fs from "node:fs"', ends: 'syntax' },
  {
    name: 'the global object by Function',
    code: `const g = Function("return this")(); ${reaches('typeof g.process, typeof g.Buffer, typeof g.setTimeout, g === globalThis')}`,
    ends: 'ended',
    printed: ['undefined undefined undefined true'],
  },
  {
    name: 'the constructor of the constructor of act',
    code: reaches('act.constructor.constructor("return typeof process + typeof require")()'),
    ends: 'ended',
    printed: ['undefinedundefined'],
  },
  {
    name: 'what act leaves in its caller and its error',
    code: `let seen; try { act(1) } catch (e) { seen = e.constructor.constructor("return typeof process")() } print(seen, typeof act.caller)`,
    ends: 'ended',
    printed: ['undefined undefined'],
  },
  {
    name: 'timers and workers',
    code: reaches(
      '[typeof setTimeout, typeof Worker, typeof Atomics, typeof WebAssembly, typeof std, typeof os].join()',
    ),
    ends: 'ended',
    printed: ['undefined,undefined,undefined,undefined,undefined,undefined'],
  },
  {
    name: 'the clock of the host',
    code: 'print(new act.constructor("return Date.now()")(), new Date(Date.prototype.constructor.now()).getTimezoneOffset())',
    ends: 'ended',
    printed: ['946684800000 0'],
  },
  { name: 'with', code: 'with ({ process: 1 }) { act("with " + process) }', ends: 'acts with 1' },
  { name: 'debugger', code: 'debugger; act("after debugger")', ends: 'acts after debugger' },
]

/** Trickery with what the sandbox hands out. */
const tricks: HostileProgram[] = [
  {
    name: 'swallowing the pending act',
    code: 'for (;;) { try { act("open") } catch { act("never") } finally { act("nor this") } }',
    ends: 'acts open',
  },
  {
    name: 'swallowing the pending act in promises',
    code: 'Promise.resolve().then(() => act("open")).catch(() => act("never")).finally(() => { for (;;); })',
    ends: 'acts open',
  },
  {
    name: 'polluted prototypes',
    code: `Object.prototype.then = Object.prototype.toJSON = Array.prototype.push = Function.prototype.call = () => { throw 1 }
      Object.defineProperty(Object.prototype, 'value', { get() { throw 2 } })
      String.prototype.slice = Reflect.apply = JSON.stringify = Array.prototype[Symbol.iterator] = null
      act("polluted")`,
    ends: 'acts polluted',
  },
  {
    name: 'its own act, print, JSON and Math',
    code: 'const real = act; act = print = null; JSON = Math = Date = Error = undefined; real("mine")',
    ends: 'acts mine',
  },
  {
    name: 'deleting act and collecting what is left',
    code: 'delete globalThis.act; delete globalThis.print; const a = []; for (let i = 0; i < 1e5; i += 1) a.push({ a })',
    ends: 'ended',
  },
  { name: 'an action that is no text', code: 'act({ toString() { for (;;); } })', ends: 'thrown' },
  {
    name: 'an action behind a proxy with Symbol.toPrimitive',
    code: 'act(new Proxy({}, { get: () => { throw new Error("peeked") } }))',
    ends: 'thrown',
  },
  { name: 'NUL in an action', code: 'act("open\\0door")', ends: 'thrown' },
  { name: 'lone surrogates in an action', code: 'act("open \\ud800")', ends: 'thrown' },
  { name: 'an action of a megabyte', code: 'act("x".repeat(1e6))', ends: 'thrown' },
  { name: 'throwing nothing', code: 'throw undefined', ends: 'thrown' },
  { name: 'throwing a symbol', code: 'throw Symbol("odd")', ends: 'thrown' },
  {
    name: 'throwing what throws when looked at',
    code: 'throw { get message() { throw this }, get name() { throw this }, toString() { throw this } }',
    ends: 'thrown',
  },
  {
    name: 'throwing what never ends when looked at',
    code: 'throw { get message() { for (;;); } }',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'acting when looked at after the end',
    code: 'throw { get message() { return act("late") } }',
    ends: 'thrown',
  },
  {
    name: 'an error that claims to be of the sandbox',
    code: 'throw Object.assign(new Error("out of memory"), { stack: "at x (program.js:99999999999)" })',
    ends: 'memory',
  },
  {
    name: 'Error.prepareStackTrace',
    code: 'Error.prepareStackTrace = () => { for (;;); }; null.x',
    limits: fewInterrupts,
    ends: 'thrown',
  },
  {
    name: 'printing without end',
    code: 'const line = "x".repeat(1e6); for (;;) print(line)',
    limits: fewInterrupts,
    ends: 'interrupted',
  },
  {
    name: 'registries of what is collected',
    code: `const registry = new FinalizationRegistry(() => act("collected")); registry.register({}, 1)
      const weak = new WeakRef({}); print(typeof weak.deref())`,
    ends: 'ended',
  },
  { name: 'a date out of range', code: 'new Date(8.64e15 + 1).toISOString()', ends: 'thrown' },
]

export const hostilePrograms: HostileProgram[] = [...loops, ...bombs, ...escapes, ...tricks]
