import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runCli } from '../../cli/run-cli.ts'
import { environmentsFileSchema } from '../../shared/environments/added/environments-file.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { type DocumentedHost, startDocumentedHost } from './documented-host.ts'
import { fencesOf } from './documents.ts'
import { espalierWords, readNpmCommand } from './package-scripts.ts'
import type { DocumentedCommand } from './read-commands.ts'
import { makeWorkFolder } from './work-folder.ts'
import type { Workshop } from './workshop.ts'

const run = promisify(execFile)

/** A document whose commands are run one after the other, in a folder of its own. */
export interface Page {
  run(command: DocumentedCommand): Promise<Outcome>
  close(): Promise<void>
}

/** Pages that change data packs or add methods, for which no service may hold the folder: each command opens it for itself. */
const alone = new Set(['docs/add-method.md', 'docs/environments.md', 'docs/own-environments.md'])

export async function openPage(file: string, workshop: Workshop): Promise<Page> {
  const work = await makeWorkFolder(workshop)
  const ownFolder = await mkdtemp(join(tmpdir(), 'espalier-docs-data-'))
  const placeholders = openPlaceholders(workshop)
  const hosts: DocumentedHost[] = []
  if (file === 'docs/own-environments.md') hosts.push(await addEnvironments(ownFolder, work))
  process.env.ESPALIER_FOLDER = alone.has(file) ? ownFolder : workshop.folder

  const fill = (text: string, words: readonly string[]): string =>
    placeholders
      .fill(text, words)
      .replace(/^~\//, `${work}/`)
      .replaceAll('localhost:8080', new URL(workshop.address).host)
      .replaceAll('http://127.0.0.1:8080', hosts.at(-1)?.address ?? workshop.address)

  async function runAsShown({ text, words }: DocumentedCommand): Promise<Outcome> {
    if (/ node containers\/env-host\/env-host\.ts$/.test(text)) {
      const host = await startDocumentedHost(text, work)
      hosts.push(host)
      return { exitCode: 0, out: host.address, notes: '' }
    }
    await placeholders.prepare(words)
    if (words[0] === 'curl') {
      const { stdout, stderr } = await run('bash', [
        '-c',
        `${fill(text, words)} --max-time 60 --fail-with-body`,
      ])
      await placeholders.remember(words)
      return { exitCode: 0, out: stdout, notes: stderr }
    }
    const npm = readNpmCommand(words)
    const given = npm === null ? words.slice(1) : espalierWords(npm.script, npm.rest)
    if (given === null || (npm === null && words[0] !== 'espalier')) {
      throw new Error(`Nothing here runs "${text}". Name it in test/docs/outside.ts, with the reason.`)
    }
    const outcome = await runEspalier(
      given.map((word) => fill(word, words)),
      ownFolder,
    )
    if (outcome.exitCode === 0) await placeholders.remember(given)
    return outcome
  }

  return {
    async run(command) {
      process.chdir(work)
      return runAsShown(command)
    },
    async close() {
      await Promise.all(hosts.map((host) => host.stop()))
      process.chdir(tmpdir())
      await rm(work, { recursive: true, force: true })
      await rm(ownFolder, { recursive: true, force: true })
    },
  }
}

/**
 * Adds to a data folder the environments of the file that the guide shows, with a host of ours in the place of its AgentGym
 * server.
 *
 * @param work where the module lies that the file names
 */
async function addEnvironments(folder: string, work: string): Promise<DocumentedHost> {
  const shown = fencesOf('json').find(
    ({ file, text }) => file === 'docs/own-environments.md' && text.includes('"kind": "agentgym"'),
  )
  const host = await startDocumentedHost('PORT=0 node containers/env-host/env-host.ts', work)
  const text = (shown?.text ?? '').replace('http://lab:36001', `${host.address}/agentgym/textcraft`)
  environmentsFileSchema.parse(JSON.parse(text))
  await writeFile(join(folder, 'environments.json'), text)
  await copyFile(join(work, 'guess-number.ts'), join(folder, 'guess-number.ts'))
  return host
}

/** What the names in capitals stand for on one page. */
export interface Placeholders {
  /** Makes what a command changes: each such command has a run that was made for it. */
  prepare(words: readonly string[]): Promise<void>
  /** Puts what there is in place of what the document says. */
  fill(text: string, words: readonly string[]): string
  /** Notes what a command has made. */
  remember(words: readonly string[]): Promise<void>
}

const names = /\b(OTHER_RUN|ROLLOUT|RUN|EPISODE|DATASET|MEMORY|LIBRARY|KEY|TRAJECTORIES|ID)\b/g

function openPlaceholders({ made, client, runFor }: Workshop): Placeholders {
  const known: Record<string, string | undefined> = { ...made }
  /** The run that is paused, resumed, cancelled, extended or retried. */
  let changed: string | undefined

  return {
    async prepare([, command = '']) {
      if (['pause', 'retry', 'extend', 'delete'].includes(command)) changed = await runFor(command)
      if (command === 'resume') {
        // What the page itself has started: a run that met its cap.
        const [newest] = (await client.runs({ limit: 1 })).data
        if (newest?.status === 'paused') changed = newest.id
      }
    },
    fill(text, [program, command = '']) {
      const changes = program === 'espalier' && /^(pause|resume|cancel|retry|extend|delete)$/.test(command)
      return text.replaceAll(names, (name) => {
        const value = name === 'RUN' && changes ? changed : known[name]
        if (value === undefined) throw new Error(`Nothing has made what ${name} stands for.`)
        return value
      })
    },
    async remember([command, part]) {
      if (command === 'keys' && part === 'create') known.KEY = (await client.keys({ limit: 1 })).data[0]?.id
      if (command === 'import' || command === 'curl') {
        const id = (await client.imports({ limit: 1 })).data[0]?.id
        known.ID = id ?? known.ID
        known.ROLLOUT = (await client.rollouts({ limit: 1 })).data[0]?.id ?? known.ROLLOUT
      }
    },
  }
}

/** What a command came to. */
export interface Outcome {
  exitCode: number
  out: string
  notes: string
}

/**
 * Runs the command in this process. One that serves is ended as by Ctrl-C once it has said where it is; it has a port and,
 * unless it names one, a folder of its own.
 */
async function runEspalier(words: readonly string[], ownFolder: string): Promise<Outcome> {
  const terminal = recordingTerminal({ environment: process.env as Record<string, string> })
  const serves = words[0] === 'serve' || words[0] === 'simulate'
  let isOver = false
  const ending = runCli(serves ? apart(words, ownFolder) : [...words], terminal).finally(() => {
    isOver = true
  })
  if (serves) {
    while (terminal.outs.length === 0 && !isOver) await new Promise((resolve) => setTimeout(resolve, 20))
    terminal.interrupt()
  }
  const exitCode = await ending
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

function apart(words: readonly string[], folder: string): string[] {
  const port = words.indexOf('--port')
  const others = port < 0 ? words : words.toSpliced(port, 2)
  const own = words[0] === 'serve' && !words.includes('--folder') ? ['--folder', folder] : []
  return [...others, '--port', '0', ...own]
}
