import { extname } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { programVariables } from '../../core/programs/program-variables.ts'
import { isKilled, retryKilled } from '../../core/threads/retry-killed.ts'
import { RemoteCallError, ThreadLostError, ThreadTimeoutError } from '../../core/threads/thread-errors.ts'
import { ThreadPool } from '../../core/threads/thread-pool.ts'
import type { FilesQuestion, SentFiles, TokenizerRequest } from './tokenizer-calls.ts'

export interface TokenizerLimits {
  /** Milliseconds of one count, including reading its tokenizer. @default 20,000 */
  time?: number
  memory?: number
}

const idleMilliseconds = 300_000
/**
 * Milliseconds for which a tokenizer that exceeded a limit is refused immediately, so that a retry occupies no
 * process.
 */
const refusedFor = 60_000
const quoted = 300

/**
 * Processes that count with uploaded tokenizers and chat templates, which never run in this process. A tenant
 * occupies at most one of them.
 */
export class TokenizerPool {
  readonly #time: number
  readonly #memory: number
  readonly #pool: ThreadPool<TokenizerRequest, number | number[] | null>
  readonly #files = new Map<string, { files(): Promise<SentFiles>; users: number }>()
  /** By tenant and digest: tenants share the files of a public model, not each other's prompts. */
  readonly #refused = new Map<string, { why: string; until: number }>()

  constructor({ time = 20_000, memory = 768 }: TokenizerLimits = {}) {
    this.#time = time
    this.#memory = memory
    this.#pool = new ThreadPool({
      file: new URL(`./tokenizer-process${extname(import.meta.filename)}`, import.meta.url),
      name: 'tokenizers',
      size: 2,
      perCaller: 1,
      process: { memory, variables: programVariables() },
      idleFor: idleMilliseconds,
      answer: ({ digest }: FilesQuestion) => this.#filesOf(digest),
    })
  }

  /**
   * @param from.files - reads the files of the tokenizer, if no process has it open
   * @throws EspalierError `limits_exceeded` if the tokenizer or its template takes too long or too much memory
   * @throws Error with the message of a tokenizer or template that cannot be used
   */
  async call<Result extends number | number[] | null = number>(
    request: TokenizerRequest,
    { tenant, model, files }: { tenant: string; model: string; files(): Promise<SentFiles> },
  ): Promise<Result> {
    const { digest } = request
    const place = `${tenant} ${digest}`
    this.#checkRefused(place, model)
    const used = this.#files.get(digest) ?? { files, users: 0 }
    used.users += 1
    this.#files.set(digest, used)
    try {
      const answer = await retryKilled(() => this.#pool.call(request, { limit: this.#time, caller: tenant }))
      return answer as Result
    } catch (error) {
      throw this.#toError(error, place, model)
    } finally {
      used.users -= 1
      if (used.users === 0) this.#files.delete(digest)
    }
  }

  async #filesOf(digest: string): Promise<SentFiles> {
    const used = this.#files.get(digest)
    if (used === undefined) throw new Error('No call waits for the files of this tokenizer.')
    return used.files()
  }

  #checkRefused(place: string, model: string): void {
    const refused = this.#refused.get(place)
    if (refused === undefined) return
    if (refused.until > performance.now()) throw refusal(model, refused.why)
    this.#refused.delete(place)
  }

  #toError(error: unknown, place: string, model: string): unknown {
    if (error instanceof RemoteCallError) return new Error(clipText(error.message, quoted))
    const why =
      error instanceof ThreadTimeoutError
        ? `took more than ${this.#time / 1000} seconds to count the tokens of one prompt`
        : error instanceof ThreadLostError && !isKilled(error)
          ? `needed more than the ${this.#memory} MB of memory that counting may take`
          : null
    if (why === null) return error
    this.#refused.set(place, { why, until: performance.now() + refusedFor })
    return refusal(model, why, error)
  }
}

function refusal(model: string, why: string, cause?: unknown): EspalierError {
  return new EspalierError(
    'limits_exceeded',
    `The tokenizer or chat template of ${model} ${why}, and was ended. Register the model with a simpler chat_template.jinja, or set tokenizer: "estimate" for the models that it is named for.`,
    { param: 'tokenizer', ...(cause !== undefined && { cause }) },
  )
}
