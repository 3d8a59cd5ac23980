import { openAsBlob } from 'node:fs'
import type { APIError, OpenAI } from 'openai'
import type { JobCreateParams, JobListParams } from 'openai/resources/fine-tuning'
import { z } from 'zod'
import type { OpenAiEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import { outboundFetch } from '../../../core/outbound/outbound-fetch.ts'
import { type CallFailure, readCallFailure, statusFailure } from '../../../play/models/call-failure.ts'
import type { KeyRing } from '../../../play/models/keys/key-ring.ts'
import type { KeySource } from '../../../play/models/keys/key-source.ts'
import { retryDelay } from '../../../play/models/retry-policy.ts'
import type { WireHeaders } from '../../../play/models/transport.ts'
import type { RefusalReader } from '../remote-jobs.ts'
import { TrainerUnreachableError } from '../trainer.ts'
import {
  type FineTuningEvent,
  type FineTuningJob,
  fineTuningCheckpointSchema,
  fineTuningEventSchema,
  fineTuningJobSchema,
  jobMarks,
  trainingFileSchema,
  type UploadedFile,
} from './api-shapes.ts'

export class ServiceRefusalError extends Error {
  readonly status: number | null

  constructor(message: string, { status, cause }: { status: number | null; cause: unknown }) {
    super(message, { cause })
    this.status = status
  }
}

interface CallFacts {
  headers: Record<string, string>
  timeout: number
}

const usualTimeout = 60_000
const uploadTimeout = 3_600_000
const mostPageEntries = 100

/**
 * A client of a fine-tuning API with OpenAI's shape. Transient failures, such as an unreachable service or a rate
 * limit, throw `TrainerUnreachableError`. Refusals throw {@link ServiceRefusalError}.
 */
export class FineTuningService {
  readonly #name: string
  readonly #keys: () => KeySource | null
  readonly #open: () => Promise<OpenedClient>
  #failures = 0

  constructor(name: string, endpoint: OpenAiEndpoint, keys: KeyRing) {
    this.#name = name
    this.#keys = () => keys.source(name, endpoint)
    let opened: Promise<OpenedClient> | undefined
    this.#open = () => {
      opened ??= openClient(endpoint)
      return opened
    }
  }

  async probe(): Promise<void> {
    await this.#ask((client, facts) => client.fineTuning.jobs.list({ limit: 1 }, facts))
  }

  async files(prefix: string): Promise<UploadedFile[]> {
    const found: UploadedFile[] = []
    await this.#ask(async (client, facts) => {
      found.length = 0
      for await (const each of client.files.list({ purpose: 'fine-tune', limit: mostPageEntries }, facts)) {
        if (each.filename?.startsWith(prefix)) found.push(trainingFileSchema.parse(each))
      }
    })
    return found.toSorted((one, other) => one.created_at - other.created_at)
  }

  async upload(path: string, name: string): Promise<UploadedFile> {
    const file = new File([await openAsBlob(path)], name, { type: 'application/jsonl' })
    return this.#ask(
      async (client, facts) =>
        trainingFileSchema.parse(await client.files.create({ file, purpose: 'fine-tune' }, facts)),
      uploadTimeout,
    )
  }

  async removeFile(id: string): Promise<void> {
    await orGone(this.#ask((client, facts) => client.files.delete(id, facts)))
  }

  async readFile(id: string): Promise<string> {
    return this.#ask(async (client, facts) => (await client.files.content(id, facts)).text())
  }

  async create(body: JobCreateParams, key: string): Promise<FineTuningJob> {
    return this.#ask(async (client, { headers, timeout }) => {
      const facts = { timeout, headers: { ...headers, 'Idempotency-Key': key } }
      return fineTuningJobSchema.parse(await client.fineTuning.jobs.create(body, facts))
    })
  }

  async jobs(training: string, files: ReadonlySet<string>): Promise<FineTuningJob[]> {
    const isMarked = ({ metadata }: Pick<FineTuningJob, 'metadata'>) =>
      metadata?.[jobMarks.training] === training
    const marked = await this.#jobs({ metadata: { [jobMarks.training]: training } }, isMarked)
    if (marked.length > 0 || files.size === 0) return marked
    return this.#jobs({}, (job) => files.has(job.training_file))
  }

  async #jobs(query: JobListParams, isWanted: (job: FineTuningJob) => boolean): Promise<FineTuningJob[]> {
    const found: FineTuningJob[] = []
    await this.#ask(async (client, facts) => {
      found.length = 0
      for await (const each of client.fineTuning.jobs.list({ limit: mostPageEntries, ...query }, facts)) {
        const job = fineTuningJobSchema.parse(each)
        if (isWanted(job)) found.push(job)
      }
    })
    return found
  }

  async job(id: string): Promise<FineTuningJob> {
    return this.#ask(async (client, facts) =>
      fineTuningJobSchema.parse(await client.fineTuning.jobs.retrieve(id, facts)),
    )
  }

  async cancel(id: string): Promise<void> {
    await this.#ask((client, facts) => client.fineTuning.jobs.cancel(id, facts))
  }

  async pause(id: string): Promise<void> {
    await this.#ask((client, facts) => client.fineTuning.jobs.pause(id, facts))
  }

  async resume(id: string): Promise<void> {
    await this.#ask((client, facts) => client.fineTuning.jobs.resume(id, facts))
  }

  async events(id: string, isKnown: (event: string) => boolean): Promise<FineTuningEvent[]> {
    const found: FineTuningEvent[] = []
    await this.#ask(async (client, facts) => {
      found.length = 0
      for await (const each of client.fineTuning.jobs.listEvents(id, { limit: mostPageEntries }, facts)) {
        if (isKnown(each.id)) break
        found.push(fineTuningEventSchema.parse(each))
      }
    })
    return found.toReversed()
  }

  async checkpoints(id: string): Promise<{ step: number; model: string }[]> {
    const found: { step: number; model: string }[] = []
    const asked = this.#ask(async (client, facts) => {
      found.length = 0
      for await (const each of client.fineTuning.jobs.checkpoints.list(
        id,
        { limit: mostPageEntries },
        facts,
      )) {
        const { fine_tuned_model_checkpoint: model, step_number: step } =
          fineTuningCheckpointSchema.parse(each)
        found.push({ step, model })
      }
    })
    await orGone(asked)
    return found.toSorted((one, other) => one.step - other.step)
  }

  async #ask<Answer>(
    call: (client: OpenAI, facts: CallFacts) => Promise<Answer>,
    timeout = usualTimeout,
  ): Promise<Answer> {
    const keys = this.#keys()
    const { client, isApiError } = await this.#open()
    for (let isSecond = false; ; isSecond = true) {
      const key = (await keys?.current()) ?? null
      try {
        const headers = key === null ? {} : { Authorization: `Bearer ${key.reveal()}` }
        const answer = await call(client, { headers, timeout })
        this.#failures = 0
        return answer
      } catch (error) {
        const isRefusedKey = isApiError(error) && error.status === 401
        if (isRefusedKey && key !== null && !isSecond && (await keys?.replaces(key))) continue
        throw this.#failure(error, keys, isApiError)
      }
    }
  }

  #failure(error: unknown, keys: KeySource | null, isApiError: OpenedClient['isApiError']): unknown {
    if (error instanceof z.ZodError) {
      const [issue] = error.issues
      const place = issue?.path.join('.') || 'the answer'
      return this.#unreachable(`its answer is not the API’s: ${place}: ${issue?.message}`, null, error)
    }
    const isRefusal = isApiError(error)
    if (!isRefusal && !(error instanceof SyntaxError)) return error
    const { code, headers, said, status, transient } = isRefusal
      ? readApiError(error)
      : readCallFailure(error, true)
    const coded = code === null ? said : `${code}: ${said}`
    const words = clipText((keys?.redact(coded) ?? coded).replace(/\s+/g, ' ').trim(), 300)
    if (transient) return this.#unreachable(words, headers, error)
    return new ServiceRefusalError(`The service of the trainer "${this.#name}" refused: ${words}`, {
      status,
      cause: error,
    })
  }

  #unreachable(words: string, headers: WireHeaders | null, cause: unknown): TrainerUnreachableError {
    const retryAfter = retryDelay(this.#failures, headers) / 1000
    this.#failures += 1
    return new TrainerUnreachableError(`The service of the trainer "${this.#name}": ${words}`, {
      retryAfter,
      cause,
    })
  }
}

/** The package requires a key when a client is created; the header of each call replaces it. */
const inPlaceOfKey = 'none'

interface OpenedClient {
  client: OpenAI
  isApiError(error: unknown): error is APIError
}

/**
 * Loads the package on first use: it is large, and most services fine-tune nothing. Sets everything that it would
 * otherwise read from the environment, so that no endpoint gets another's.
 */
async function openClient(endpoint: OpenAiEndpoint): Promise<OpenedClient> {
  const { APIError, OpenAI } = await import('openai')
  const [address] = endpoint.base_urls ?? [endpoint.base_url]
  const client = new OpenAI({
    fetch: outboundFetch as typeof fetch,
    timeout: Math.ceil(endpoint.timeout * 1000),
    maxRetries: 0,
    logLevel: 'off',
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    apiKey: inPlaceOfKey,
    baseURL: address,
    defaultHeaders: endpoint.headers,
    organization: endpoint.organization ?? null,
  })
  return { client, isApiError: (error) => error instanceof APIError }
}

function readApiError(error: APIError): CallFailure {
  const { code, headers, message: said, status } = error
  if (typeof status !== 'number') return readCallFailure(error, true)
  return statusFailure(status, { said, code, headers: headers ?? null })
}

async function orGone(asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof ServiceRefusalError) || (error.status !== 404 && error.status !== 405)) throw error
  }
}

/** An expired key is a refusal too, and no failure of an existing job. */
export const serviceRefusals: RefusalReader = {
  beforeStart: (error) =>
    error instanceof ServiceRefusalError ||
    (EspalierError.isInstance(error) && error.code === 'invalid_request')
      ? error.message
      : null,
  later: (error) =>
    !(error instanceof TrainerUnreachableError) &&
    (error instanceof ServiceRefusalError || EspalierError.isInstance(error))
      ? error.message
      : null,
}
