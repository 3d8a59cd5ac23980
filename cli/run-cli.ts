import { CommanderError } from 'commander'
import { ApiError } from '../shared/core/client/api-error.ts'
import { ConnectionError } from '../shared/core/client/connection-error.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { CommandError } from './command-error.ts'
import { buildProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

/**
 * Runs the command line and returns the exit code: 0 fine, 1 failed, 2 wrong usage, 130 interrupted. With `--json`, a
 * failure is one JSON document too, in the shape of the API's errors.
 */
export async function runCli(words: string[], terminal: Terminal): Promise<number> {
  try {
    const program = await buildProgram(terminal, words)
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const failure = describeFailure(error)
    const isPrinted = error instanceof CommandError && error.isPrinted
    // Commander may refuse a command line before it has read the flag.
    if (words.includes('--json') && !isPrinted) {
      const { code, message, param } = failure
      terminal.out(JSON.stringify({ error: { code, message, param } }))
    }
    // Commander has already printed its message, with its advice.
    if (error instanceof CommanderError && /^error: missing required argument 'run'/.test(error.message))
      terminal.note('Name a run by its id, or as `latest`, the newest one.')
    if (error instanceof CommanderError) return failure.exitCode
    terminal.note(failure.param === null ? failure.message : `${failure.message} [${failure.param}]`)
    return failure.exitCode
  }
}

export interface Failure {
  message: string
  code: string
  param: string | null
  exitCode: number
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { message: error.message.replace(/^error: /, ''), code: 'wrong_usage', param: null, exitCode: 2 }
  }
  if (error instanceof CommandError) {
    return { message: error.message, code: error.code, param: null, exitCode: error.exitCode }
  }
  if (error instanceof ApiError || EspalierError.isInstance(error)) {
    const { code, param } = error
    return { message: withAdvice(error), code, param, exitCode: error.status === 400 ? 2 : 1 }
  }
  if (error instanceof ConnectionError) {
    return { message: error.message, code: error.code, param: null, exitCode: 1 }
  }
  // A bug, or a fault of the machine: the stack helps.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message, code: 'internal', param: null, exitCode: 1 }
}

const byCode: Readonly<Record<string, string>> = {
  missing_key: 'Here: --api-key, or ESPALIER_API_KEY.',
  invalid_key: 'Look at --api-key and ESPALIER_API_KEY.',
}

const lists: Readonly<Record<string, string>> = {
  run: '`espalier runs` lists them, and `latest` is the newest run.',
  runs: '`espalier runs` lists them, and `latest` is the newest run.',
  dataset: '`espalier datasets` lists them.',
  model: '`espalier models list` lists them.',
  training: '`espalier trainings` lists them.',
  loop: '`espalier loops` lists them.',
  import: '`espalier trajectories` lists them.',
  trajectories: '`espalier trajectories` lists them.',
  memory: '`espalier memories` lists them.',
  library: '`espalier libraries` lists them.',
  key: '`espalier keys list` lists them.',
}

export function withAdvice({
  code,
  message,
  param,
}: {
  code: string
  message: string
  param: string | null
}): string {
  const [field = ''] = (param ?? '').split(/[.[]/)
  const advice = byCode[code] ?? (code === 'not_found' ? lists[field] : undefined)
  return advice === undefined ? message : `${message} ${advice}`
}
