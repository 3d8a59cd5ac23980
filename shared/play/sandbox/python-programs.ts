import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { ProgramLostError, ProgramProcess } from '../../core/programs/program-process.ts'
import { programVariables } from '../../core/programs/program-variables.ts'
import { pythonCure } from '../../core/programs/python-cure.ts'
import { isKilled, retryKilled } from '../../core/threads/retry-killed.ts'
import { isTooDeep } from './is-too-deep.ts'
import { type ActAnswer, type Program, type ProgramState, sandboxLimits } from './program.ts'
import type { CodeCall } from './read-call.ts'
import type { CodeReading } from './read-functions.ts'

/** Processes at once: each runs one program at a time, in a child without files, network or children. */
const mostProcesses = 2
/** Bytecodes of a program: Python polls nothing, so it counts each. */
const mostRounds = 500_000
const bytesBesidePython = 64 * 2 ** 20
const secondsBesideProgram = 30

const line = z.int().nullable()
const stateSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('acts'), action: z.string().max(10_000) }),
  z.object({ type: z.literal('ended'), printed: z.array(z.string()) }),
  z.object({
    type: z.literal('failed'),
    reason: z.enum(['thrown', 'syntax', 'interrupted', 'memory', 'stack', 'invalid_action']),
    message: z.string(),
    line,
    printed: z.array(z.string()),
  }),
])
const readingSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('read'),
    functions: z.array(
      z.object({
        name: z.string(),
        parameters: z.array(z.string()),
        code: z.string(),
        comment: z.string().nullable(),
      }),
    ),
    rest: z.string(),
  }),
  z.object({ type: z.literal('failed'), message: z.string(), line }),
])
const answerSchema = z.object({
  state: stateSchema.optional(),
  reading: readingSchema.optional(),
  call: z.object({ name: z.string(), code: z.string() }).nullish(),
  late: z.boolean().optional(),
})

type PythonAnswer = z.infer<typeof answerSchema>

const tooDeep = 'The code is nested too deeply.'
const endedItself = 'The program ended its process.'

/** @param late makes the error for a program that exceeds the wall-clock limit, in milliseconds */
export async function runPython(
  { code, calls, limits, seed }: Program,
  answers: readonly ActAnswer[],
  late: (milliseconds: number) => Error,
): Promise<ProgramState> {
  const { code: characters, mostActs, time } = { ...sandboxLimits, ...limits }
  const failed = (reason: 'syntax' | 'stack' | 'thrown', message: string): ProgramState => ({
    ...{ type: 'failed', reason, message, line: null, printed: [] },
  })
  if (code.length > characters)
    return failed('syntax', `The program is longer than ${characters} characters.`)
  if (isTooDeep(`${code}\n${calls ?? ''}`)) return failed('stack', tooDeep)
  const given = { code, answers, seed, acts: mostActs, rounds: mostRounds }
  const question = { op: 'run', ...given, ...(calls !== undefined && { calls }) }
  const answer = await processes.ask(question, time)
  if (answer.late) throw late(time)
  return answer.state ?? failed('thrown', endedItself)
}

export async function readPythonCall(text: string, names: readonly string[]): Promise<CodeCall | null> {
  if (text.length > 10_000 || isTooDeep(text)) return null
  return (await processes.ask({ op: 'call', text, names })).call ?? null
}

export async function readPythonFunctions(code: string): Promise<CodeReading> {
  if (isTooDeep(code)) return { type: 'failed', message: tooDeep, line: null }
  const { reading } = await processes.ask({ op: 'functions', code })
  return reading ?? { type: 'failed', message: endedItself, line: null }
}

class PythonProcesses {
  readonly #idle: ProgramProcess[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0

  async ask(
    question: { op: string; [field: string]: unknown },
    time = sandboxLimits.time,
  ): Promise<PythonAnswer> {
    if (this.#busy >= mostProcesses) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#busy += 1
    try {
      const process = this.#popIdle() ?? (await startPython())
      process.hold()
      try {
        return await process.ask(
          { ...question, seconds: time / 1000, memory: bytesBesidePython },
          answerSchema,
        )
      } finally {
        process.letGo()
        this.#idle.push(process)
      }
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy -= 1
    }
  }

  #popIdle(): ProgramProcess | undefined {
    for (;;) {
      const process = this.#idle.pop()
      if (process === undefined || process.isAlive) return process
    }
  }
}

const processes = new PythonProcesses()

async function startPython(): Promise<ProgramProcess> {
  const command = [process.env.ESPALIER_PYTHON ?? 'python3', '-m', 'espalier.programs']
  // A set's order depends on the seed of hashes, and a replay must find the same.
  const variables = { ...programVariables(), PYTHONHASHSEED: '0' }
  const answerWithin = sandboxLimits.time / 1000 + secondsBesideProgram
  return retryKilled(async () => {
    const started = new ProgramProcess({ command, variables, answerWithin, log: () => undefined })
    try {
      await started.ask({ op: 'describe' }, z.object({ python: z.string() }))
      return started
    } catch (error) {
      await started.end()
      if (isKilled(error) || !(error instanceof ProgramLostError)) throw error
      throw new EspalierError(
        'not_supported',
        `Programs in Python need Python on every worker: ${error.message} ${pythonCure} Or set the method's language to "javascript".`,
        { cause: error },
      )
    }
  })
}
