import type { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Json, JsonObject } from '../../../core/contracts/json.ts'
import { wellFormed } from '../../../core/contracts/well-formed.ts'
import { ProgramProcess, type ProgramQuestion } from '../../../core/programs/program-process.ts'
import { retryKilled } from '../../../core/threads/retry-killed.ts'
import type { MethodScope } from '../method-scope.ts'
import { describeMethodNode, describeNote, RequestAnswers } from './answer-request.ts'
import {
  digestFiles,
  methodsAnswerSchema,
  performedAnswerSchema,
  turnAnswerSchema,
} from './method-messages.ts'

export interface MethodProgram {
  command: readonly string[]
  file: string
  digest: string
  takesDetails: boolean
}

const mostIdle = 8

/** Seconds for a side effect of a method's own, such as a call of a library. */
const longestEffect = 600

/**
 * The processes that play methods of one file. Each episode in progress has its own, since a computation blocks its
 * process. A process plays the next episode when its episode has ended.
 */
export class MethodProcesses {
  readonly #program: MethodProgram
  readonly #idle: ProgramProcess[] = []
  readonly #outlive = new WeakMap<ProgramProcess, () => void>()

  constructor(program: MethodProgram) {
    this.#program = program
  }

  /**
   * Plays one episode: starts the function and answers its requests, one result after the other in journal order, so
   * that replays are the same. The function runs only between two results.
   *
   * @throws Error the function's own
   */
  async play(method: string, scope: MethodScope, parameters: object): Promise<void> {
    const process = await scope.compute(() => this.#take(scope.ended))
    const { takesDetails } = this.#program
    const answers = new RequestAnswers(scope, { takesDetails, perform: (call) => perform(process, call) })
    const { actions, defaultMaxSteps, notes, objective, rules, tree } = scope
    const episode = {
      ...{ objective, rules, default_max_steps: defaultMaxSteps, success_threshold: tree.successThreshold },
      ...{ root: describeMethodNode(tree.root, takesDetails), notes: notes.map(describeNote), actions },
    }
    const waiting = new Map<number, Promise<JsonObject>>()
    let turn = await scope.compute(() => ask(process, { op: 'play', method, parameters, episode }))
    while (!turn.done) {
      for (const request of turn.requests) {
        const answered = answers.answer(wellFormed(request)).then(
          (result) => ({ call: request.call, result }) as JsonObject,
          (error: unknown) => ({ call: request.call, error: messageOf(error) }),
        )
        waiting.set(request.call, answered)
      }
      const reply = await Promise.race(waiting.values())
      waiting.delete(reply.call as number)
      turn = await scope.compute(() => ask(process, { op: 'go', ...reply }))
    }
    this.#giveBack(process)
  }

  async #take(ended: AbortSignal): Promise<ProgramProcess> {
    const process = this.#popIdle() ?? (await retryKilled(() => this.#start()))
    process.hold()
    const end = () => void process.end()
    if (ended.aborted) end()
    else ended.addEventListener('abort', end, { once: true })
    this.#outlive.set(process, () => ended.removeEventListener('abort', end))
    return process
  }

  /** An idle process may have been killed meanwhile, and is then left out: no episode is at fault. */
  #popIdle(): ProgramProcess | undefined {
    for (;;) {
      const process = this.#idle.pop()
      if (process === undefined || process.isAlive) return process
    }
  }

  #giveBack(process: ProgramProcess): void {
    this.#outlive.get(process)?.()
    if (this.#idle.length >= mostIdle || !process.isAlive) void process.end()
    else {
      process.letGo()
      this.#idle.push(process)
    }
  }

  async #start(): Promise<ProgramProcess> {
    const { command, digest, file } = this.#program
    const process = new ProgramProcess({ command, within: { perform: longestEffect }, log: () => undefined })
    try {
      const described = await process.ask({ op: 'describe' }, methodsAnswerSchema)
      if (digestFiles(described) === digest) return process
    } catch (error) {
      await process.end()
      throw error
    }
    await process.end()
    throw new EspalierError(
      'method_unavailable',
      `${file} has changed since the service started. Start the service again to play it as it is now.`,
    )
  }
}

function ask(process: ProgramProcess, question: ProgramQuestion) {
  return askFunction(process, question, turnAnswerSchema)
}

async function perform(process: ProgramProcess, call: number): Promise<Json> {
  return (await askFunction(process, { op: 'perform', call }, performedAnswerSchema)).result
}

/** @throws Error of the function, which is the method's fault */
async function askFunction<Schema extends z.ZodType>(
  process: ProgramProcess,
  question: ProgramQuestion,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    return await process.ask(question, schema)
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    throw new Error(error.message, { cause: error })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
