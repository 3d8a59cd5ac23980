import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addEnvironments } from './add-environments.ts'
import { type DocumentedHost, startDocumentedHost } from './documented-host.ts'
import { espalierWords, readNpmCommand } from './package-scripts.ts'
import { openPlaceholders } from './placeholders.ts'
import type { DocumentedCommand } from './read-commands.ts'
import { type Outcome, runEspalier } from './run-espalier.ts'
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
