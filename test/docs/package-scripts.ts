import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ciSteps } from '../../scripts/ci/steps.ts'
import { root } from './documents.ts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const checks = ciSteps('reports')

/** What an npm command runs: `npm start`, `npm test`, `npm run -s NAME -- WORDS`; null for anything else. */
export function readNpmCommand(words: readonly string[]): { script: string; rest: string[] } | null {
  const [npm, ...more] = words
  if (npm !== 'npm') return null
  const separator = more.indexOf('--')
  const own = (separator < 0 ? more : more.slice(0, separator)).filter((word) => !word.startsWith('-'))
  const script = own[0] === 'run' ? own[1] : own[0]
  return script === undefined ? null : { script, rest: separator < 0 ? [] : more.slice(separator + 1) }
}

/** The command line that a script of package.json runs, with what is given behind it. */
export function scriptText(script: string): string {
  const text = scripts[script]
  if (text === undefined) throw new Error(`package.json has no script "${script}".`)
  return text
}

/** The words for `espalier` that a script comes to, or null where it runs something else. */
export function espalierWords(script: string, rest: readonly string[]): string[] | null {
  const behind = /cli\/espalier\.ts(.*)$/.exec(scriptText(script))?.[1]
  return behind === undefined ? null : [...behind.trim().split(/\s+/).filter(Boolean), ...rest]
}

/** Whether `.ci/run` runs the script. */
export function isRunByChecks(script: string): boolean {
  scriptText(script)
  return checks.some(({ command: [npm, run, , name] }) => npm === 'npm' && run === 'run' && name === script)
}
