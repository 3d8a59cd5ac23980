import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect } from 'vitest'
import { buildProgram } from '../../cli/program.ts'
import { deploy } from '../../infra/commands/deploy.ts'
import { destroy } from '../../infra/commands/destroy.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { recordingTools } from '../infra/recording-tools.ts'
import { root } from './documents.ts'
import type { Tried } from './outside.ts'
import { espalierWords, isRunByChecks, readNpmCommand, scriptText } from './package-scripts.ts'
import type { DocumentedCommand } from './read-commands.ts'

/** Tries a command that needs something from outside, as far as its line of the table says. */
export async function tryOutside({ words, text }: DocumentedCommand, tried: Tried): Promise<void> {
  const npm = readNpmCommand(words)
  switch (tried) {
    case 'by .ci/run':
      expect(isRunByChecks(npm?.script ?? ''), `.ci/run runs ${text}`).toBe(true)
      return
    case 'script':
      scriptText(npm?.script ?? '')
      return
    case 'parsed':
      await parse(npm === null ? words.slice(words.indexOf('espalier') + 1) : espalierWordsOf(npm))
      return
    case 'files': {
      const files = words.filter((word) => /^containers\//.test(word))
      expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
      return
    }
    case 'recorded tools':
      await withTools(npm?.script ?? '', npm?.rest ?? [])
  }
}

function espalierWordsOf(npm: { script: string; rest: string[] }): string[] {
  const words = espalierWords(npm.script, npm.rest)
  if (words === null) throw new Error(`npm run ${npm.script} does not run espalier.`)
  return words
}

/** Has the command line take the words, and does nothing of it. */
async function parse(words: readonly string[]): Promise<void> {
  const program = await buildProgram(recordingTerminal())
  let isTaken = false
  const quieten = (command: Command): void => {
    // One with commands below it may do something by itself too; commander keeps that to itself.
    const acts = command.commands.length === 0 || Reflect.get(command, '_actionHandler') !== null
    if (command !== program && acts) {
      command.action(() => {
        isTaken = true
      })
    }
    for (const below of command.commands) quieten(below)
  }
  quieten(program)
  await program.parseAsync(words, { from: 'user' })
  expect(isTaken, words.join(' ')).toBe(true)
}

/** Deploys or destroys where there is no account: what would be done is written down. */
async function withTools(script: string, words: string[]): Promise<void> {
  const { tools, did } = recordingTools({ answer: 'dev' })
  const command = { deploy, destroy }[script]
  if (command === undefined) throw new Error(`npm run ${script} has no tools to be recorded.`)
  expect(await command(words, tools)).toBe(0)
  expect(did.some((each) => each.startsWith(`cdk ${script}`))).toBe(true)
}
