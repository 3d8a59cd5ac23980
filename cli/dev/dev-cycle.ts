import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { on, once } from 'node:events'
import { watch } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { wrongUsage } from '../command-error.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'
import { type DevFlags, type DevStage, devStages } from './dev-stages.ts'

const entry = join(import.meta.dirname, '..', `espalier${extname(import.meta.filename)}`)

// Milliseconds: an editor may write twice for one change.
const settles = 50

export async function devCycle(
  file: string,
  options: GlobalOptions & DevFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<DevStage['name'] | null> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw wrongUsage(`${file} cannot be read. Name a Python file or a module, such as ./env.py.`)
  })
  const folder = await mkdtemp(join(tmpdir(), 'espalier-dev-'))
  const lines: string[] = []
  const print = options.json ? (line: string) => void lines.push(line) : terminal.out
  try {
    for (const { name, words } of devStages(file, text, options, folder)) {
      if ((await runStage(words, terminal, signal, print)) === 0) continue
      if (options.json) terminal.out(JSON.stringify({ file, ok: false, failed: name, output: lines }))
      return name
    }
    if (options.json) terminal.out(JSON.stringify({ file, ok: true, failed: null, output: lines }))
    else terminal.out(terminal.paint('green', `${file} is fine.`))
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function watchFile(
  file: string,
  cycle: () => Promise<DevStage['name'] | null>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const folder = dirname(resolve(file))
  const watcher = watch(folder)
  const changes = on(watcher, 'change', { signal })
  try {
    let seen = await digestOf(folder, extname(file))
    const play = async () => {
      const failed = await cycle()
      if (failed !== null) terminal.note(terminal.paint('red', `${file}: ${failed} failed.`))
      terminal.note(`Waiting for changes in ${folder}; Ctrl-C ends it.`)
    }
    await play()
    for await (const _ of changes) {
      await delay(settles)
      const now = await digestOf(folder, extname(file))
      if (now === seen) continue
      seen = now
      await play()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    watcher.close()
  }
}

async function runStage(
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<number | null> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [entry, ...words], {
    env: { ...process.env, ...terminal.environment, ESPALIER_URL: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => void child.kill()
  signal.addEventListener('abort', end, { once: true })
  createInterface({ input: child.stdout }).on('line', print)
  createInterface({ input: child.stderr }).on('line', (line) => terminal.note(line))
  const [code] = (await once(child, 'close')) as [number | null]
  signal.removeEventListener('abort', end)
  signal.throwIfAborted()
  return code
}

// A module may import the files beside it.
async function digestOf(folder: string, extension: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(folder)).toSorted()) {
    if (extname(name) !== extension) continue
    hash.update(name).update(await readFile(join(folder, name)).catch(() => ''))
  }
  return hash.digest('hex')
}
