import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { desktopScoringPackages } from '../../shared/environments/desktop/python-packages.ts'
import { ProgramProcess, type ProgramQuestion } from '../../shared/programs/program-process.ts'
import { findPythonEnvironment } from '../../shared/python/python-environment.ts'
import { BackendLostError } from '../env-host/session-backend.ts'

const folder = join(import.meta.dirname, 'scoring')

/** How long a request may take, unless it says otherwise. Seconds. */
const usualLimit = 300
/** The program ends a late request itself; it is given up where even that does not happen. Seconds. */
const answerWithin = 3600

const needs =
  'It needs a Python with the packages of containers/desktop/scoring/requirements.txt and desktop-env.txt, which ESPALIER_PYTHON names.'

const faultSchema = z.object({
  kind: z.enum(['machine', 'late', 'left_out', 'files', 'step', 'metric', 'task', 'crashed']),
  message: z.string(),
})

type Fault = z.infer<typeof faultSchema>

const answerSchema = z.object({
  fault: faultSchema.optional(),
  score: z.number().optional(),
  notes: z.array(z.string()).default([]),
})

const leftOutSchema = z.record(z.string(), z.string())

const describedSchema = z.object({
  desktop_env: z.string(),
  python: z.string(),
  metrics: z.array(z.string()),
  getters: z.array(z.string()),
  left_out: z.object({ metrics: leftOutSchema, getters: leftOutSchema, steps: leftOutSchema }),
})

/** What the program has of desktop-env, and what it leaves out with what that needs. */
export type DescribedTaskProgram = z.infer<typeof describedSchema>

/** One task on one machine. */
export interface TaskRequest {
  /** The machine's API, `http://HOST:PORT`. */
  machine: string
  /** A task of OSWorld's format. */
  task: Readonly<Record<string, unknown>>
  /** Where the files that the task downloads lie here, by their URL. */
  files: Readonly<Record<string, string>>
  /** A folder of this session, the same for its set-up and its score, for what is fetched on the way. */
  cache: string
  /** Whether files that are not among {@link files} are downloaded. @default false */
  network?: boolean
  /** The ports of programs on the machine's host. @default 9222 and 8080 */
  ports?: { chromium?: number; vlc?: number }
  /** How long it may take. Seconds. @default 300 */
  within?: number
}

export interface ScoreRequest extends TaskRequest {
  /** The actions of the episode; of the last it counts whether it is `FAIL`. */
  actions: readonly string[]
}

export interface SetUpTask {
  /** What went wrong on the way without harm to the set-up, such as a window that was not there. */
  notes: string[]
}

export interface ScoredTask extends SetUpTask {
  /** What the task's metrics gave: 1 for solved, 0 for not, or between. */
  score: number
}

/** Sets tasks of OSWorld's format up on machines and scores them, with desktop-env's own steps, getters and metrics. */
export interface TaskProgram {
  describe(): Promise<DescribedTaskProgram>
  /**
   * @throws BackendLostError when the machine cannot be reached, or the program is gone; EspalierError `environment_failed`
   * for a step that failed and for what the task needs and is not here; the signal's reason when it aborts
   */
  setUp(request: TaskRequest, signal?: AbortSignal): Promise<SetUpTask>
  /** @throws as {@link setUp} does; a failure is never a score of 0 */
  score(request: ScoreRequest, signal?: AbortSignal): Promise<ScoredTask>
  /** Ends the program, and what it works on. */
  stop(): Promise<void>
}

/**
 * What starts the program: the Python of {@link desktopScoringPackages} where that is installed, else the one that
 * `ESPALIER_PYTHON` names, which has the packages itself, as in the image.
 */
export async function findTaskProgram(variables: NodeJS.ProcessEnv): Promise<string[]> {
  const { python, beside, isInstalled } = await findPythonEnvironment(desktopScoringPackages(variables))
  const program = join(folder, 'score_tasks.py')
  if (isInstalled && beside !== null) return [python, program, beside]
  return [variables.ESPALIER_PYTHON ?? 'python3', program]
}

/**
 * The program is started when it is first asked, and again when it has ended.
 *
 * @param log where the program's own output and end are written
 * @param variables `ESPALIER_PYTHON` and `ESPALIER_CACHE`
 */
export function openTaskProgram(
  log: (level: 'info' | 'warn' | 'error', event: string, fields?: object) => void,
  variables: NodeJS.ProcessEnv = process.env,
): TaskProgram {
  let command: Promise<string[]> | null = null
  let current: ProgramProcess | null = null
  let isStopped = false

  const alive = async (): Promise<ProgramProcess> => {
    command ??= findTaskProgram(variables)
    const words = await command
    if (isStopped) throw new BackendLostError('The program that scores tasks was stopped.')
    if (current?.isAlive) return current
    // A program of ours: the memory of the image bounds it.
    const own = { variables: process.env, memory: Number.POSITIVE_INFINITY }
    const lostError = (message: string) => new BackendLostError(`${message} ${needs}`)
    current = new ProgramProcess({ command: words, answerWithin, log, lostError, ...own })
    return current
  }

  const play = async (
    question: ProgramQuestion,
    signal?: AbortSignal,
  ): Promise<SetUpTask & { score?: number | undefined }> => {
    signal?.throwIfAborted()
    const program = await alive()
    signal?.throwIfAborted()
    const key = randomUUID()
    const cancel = () => {
      // Whether it was heard shows in the answer of what is cancelled.
      program.ask({ op: 'cancel', key }, z.object({})).catch(() => undefined)
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const { fault, ...answer } = await program.ask({ ...question, key }, answerSchema)
      signal?.throwIfAborted()
      if (fault) throw errorOf(fault, question)
      return answer
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  return {
    async describe() {
      return (await alive()).ask({ op: 'describe' }, describedSchema)
    },
    async setUp(request, signal) {
      const { notes } = await play({ within: usualLimit, ...request, op: 'set_up' }, signal)
      return { notes }
    },
    async score(request, signal) {
      const { score, notes } = await play({ within: usualLimit, ...request, op: 'score' }, signal)
      if (score === undefined)
        throw new EspalierError('internal', 'The program scored a task without a score.')
      return { score, notes }
    },
    async stop() {
      isStopped = true
      await current?.end()
    },
  }
}

function errorOf({ kind, message }: Fault, question: ProgramQuestion): Error {
  if (kind === 'machine') return new BackendLostError(message)
  const { id } = question.task as { id?: unknown }
  const what = question.op === 'score' ? 'could not be scored' : 'could not be set up'
  return new EspalierError('environment_failed', `The task ${String(id)} ${what}: ${message}`)
}
