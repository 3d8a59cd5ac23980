import type { ProgramLanguage } from '../../../core/contracts/program-language.ts'
import type { CodeFunction } from '../../sandbox/read-functions.ts'
import { toProgram } from '../../sandbox/to-program.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { MethodScope } from '../method-scope.ts'
import { readProgram } from '../programs/read-program.ts'
import { programSeed, runProgram } from '../programs/run-program.ts'
import { programDialects } from '../prompts/program-prompts.ts'

export const mostFunctions = 12

export type Trial =
  | { type: 'passed'; functions: CodeFunction[] }
  | { type: 'failed'; error: string; unread: boolean }

export interface TrialOptions {
  key: string
  start: SearchNode
  known: readonly { name: string; code: string }[]
  language: ProgramLanguage
}

/**
 * Reads functions and the calls below them from an answer. Runs the calls on a fork of a task's beginning, and
 * discards the fork. This shows whether the code runs: an action that the environment refuses is not an error yet.
 *
 * The calls run in a block of their own, so that functions which need more than each other fail here.
 *
 * @see Zhao et al. 2024, LearnAct (arXiv 2402.15809), its code's `recursive_code_generation`, which runs every
 * attempt in the environment that the last one left
 */
export async function tryFunctions(
  scope: MethodScope,
  answer: string,
  { key, start, known, language }: TrialOptions,
): Promise<Trial> {
  const { fence } = programDialects[language]
  const code = readProgram(answer, language)
  if (code === null) return unreadable(`There is no \`\`\`${fence} block in the answer.`)
  const reading = await scope.sandbox.readFunctions(code, language)
  if (reading.type === 'failed') {
    const line = reading.line === null ? '' : ` (line ${reading.line})`
    return unreadable(`${reading.message}${line}`)
  }
  const { functions, rest } = reading
  const problem = problemOf(functions, language)
  if (problem !== null) return unreadable(problem)
  const kept = known.filter(({ name }) => functions.every((written) => written.name !== name))
  const program = toProgram({
    functions: [...kept, ...functions],
    statement: language === 'javascript' ? `{\n${rest}\n}` : '',
    language,
    seed: programSeed(scope, key),
    ...(language === 'python' && { calls: rest }),
  })
  const ending = await runProgram(scope, scope.fork(start, key), program)
  if (ending.type === 'ended' || ending.reason === 'invalid_action') return { type: 'passed', functions }
  return { type: 'failed', error: ending.message, unread: false }
}

function problemOf(functions: readonly CodeFunction[], language: ProgramLanguage): string | null {
  if (functions.length === 0) return 'It declares no function at its top.'
  if (functions.length > mostFunctions) return `It declares more than ${mostFunctions} functions.`
  const taken = language === 'javascript' ? functions.find(({ name }) => builtIn.has(name)) : undefined
  return taken ? `The name "${taken.name}" is JavaScript's own; call the function by another.` : null
}

function unreadable(error: string): Trial {
  return { type: 'failed', error, unread: true }
}

const builtIn = new Set(
  `Array ArrayBuffer BigInt Boolean DataView Date Error Function Infinity Intl Iterator JSON Map Math NaN Number Object Promise
Proxy RangeError Reflect RegExp Set String Symbol SyntaxError TypeError WeakMap WeakRef WeakSet console decodeURI
decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined
unescape`.split(/\s+/),
)
