import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { createSimulatedApp } from '../../local/simulated-server.ts'
import { serveApp } from './serve-app.ts'

type Environment = { Bindings: HttpBindings }

interface StoredFile {
  id: string
  object: 'file'
  filename: string
  bytes: number
  created_at: number
  purpose: string
  status: 'processed'
}

interface StoredJob {
  id: string
  object: 'fine_tuning.job'
  status: string
  created_at: number
  finished_at: number | null
  model: string
  training_file: string
  fine_tuned_model: string | null
  trained_tokens: number | null
  result_files: string[]
  metadata: Record<string, string> | null
  seed: number
  method: { type: string; [type: string]: unknown }
  error: { code: string | null; message: string | null; param: string | null } | null
}

/** What goes wrong with the next requests of a route, as `POST /v1/fine_tuning/jobs`. */
export interface ServiceFault {
  on: string
  /** The answer in place of the right one; `drop`: the request is done, and its answer is lost. */
  with: { status: number; code?: string; headers?: Record<string, string> } | 'drop'
  times: number
}

export interface FineTuningServerOptions {
  /** Whether jobs can be paused, as not every service can. @default true */
  pauses?: boolean
  /** Whether jobs keep what they say of themselves. @default true */
  keepsMetadata?: boolean
  /** The error of every job. @default none */
  failsWith?: { code: string; message: string }
}

const steps = 10
const tokens = 100
/** Seeds with which a job stays at its fifth step until it is resumed, or let go on. */
export const waitingSeed = 13
export const serviceKey = 'sk-of-the-service'
/** Entries of a page, so that lists have several. */
const pageSize = 4

/**
 * Opens a fine-tuning API of OpenAI's shape, with its routes and answers. It is deterministic: a job takes one step each time that it is
 * asked how it stands, and its clock runs a second for each.
 */
export async function openFineTuningServer(
  options: FineTuningServerOptions = {},
  serve: (app: Hono) => Promise<string> = serveApp,
) {
  const { pauses = true, keepsMetadata = true, failsWith } = options
  const files = new Map<string, StoredFile & { text: string }>()
  const jobs = new Map<string, StoredJob>()
  const events = new Map<string, { id: string; created_at: number; message: string; data: object | null }[]>()
  const requests: string[] = []
  const faults: ServiceFault[] = []
  let seconds = 1_800_000_000
  let count = 0
  let isWaiting = true
  const next = (prefix: string) => `${prefix}-${++count}`

  function tell(job: StoredJob, message: string, data: object | null = null): void {
    const list = events.get(job.id) ?? []
    list.push({ id: next('ftevent'), created_at: seconds, message, data })
    events.set(job.id, list)
  }

  const stepOf = (job: StoredJob) => (events.get(job.id) ?? []).filter(({ data }) => data !== null).length

  function endJob(job: StoredJob, status: string): void {
    job.status = status
    job.finished_at = seconds
  }

  /** Lets a job go on by one step. */
  function advance(job: StoredJob): void {
    seconds += 1
    if (job.status === 'validating_files') job.status = 'queued'
    else if (job.status === 'queued') {
      job.status = 'running'
      tell(job, 'Fine-tuning job started')
    } else if (job.status === 'running') takeStep(job)
  }

  function takeStep(job: StoredJob): void {
    const step = stepOf(job)
    if (job.seed === waitingSeed && step === 5 && isWaiting) return
    if (failsWith !== undefined && step === 3) {
      endJob(job, 'failed')
      job.error = { ...failsWith, param: null }
      return
    }
    if (step < steps) {
      const at = step + 1
      const figures = { train_loss: 1 / at, train_mean_token_accuracy: 0.5 }
      tell(job, `Step ${at}/${steps}: training loss=${(1 / at).toFixed(2)}`, {
        step: at,
        total_steps: steps,
        ...figures,
      })
      return
    }
    endJob(job, 'succeeded')
    job.trained_tokens = tokens
    job.fine_tuned_model = `ft:${job.model}:tests::${job.id}`
    job.result_files = [addFile('step_metrics.csv', resultsOf(), 'fine-tune-results').id]
    tell(job, 'The job has successfully completed')
  }

  function addFile(filename: string, text: string, purpose: string): StoredFile {
    const id = next('file')
    const bytes = Buffer.byteLength(text)
    const file = {
      id,
      object: 'file' as const,
      filename,
      bytes,
      created_at: seconds,
      purpose,
      status: 'processed' as const,
    }
    files.set(id, { ...file, text })
    return file
  }

  const app = new Hono<Environment>()
  app.use('*', async (context, then) => {
    const route = `${context.req.method} ${context.req.path}`
    requests.push(route)
    if (context.req.header('authorization') !== `Bearer ${serviceKey}`)
      return refuse(
        context,
        401,
        'invalid_api_key',
        `Incorrect API key provided: ${context.req.header('authorization')}`,
      )
    const fault = faults.find((each) => each.on === route && each.times > 0)
    if (fault === undefined) return then()
    fault.times -= 1
    if (fault.with !== 'drop') {
      for (const [name, value] of Object.entries(fault.with.headers ?? {})) context.header(name, value)
      return refuse(context, fault.with.status, fault.with.code ?? 'server_error', 'as the test asks')
    }
    await then()
    context.env.incoming.socket.destroy()
    context.res = RESPONSE_ALREADY_SENT
    return
  })

  app.post('/v1/files', async (context) => {
    const { file, purpose } = await context.req.parseBody()
    if (!(file instanceof File) || purpose !== 'fine-tune')
      return refuse(context, 400, 'invalid_file', 'No file.')
    return context.json(addFile(file.name, await file.text(), purpose))
  })
  app.get('/v1/files', (context) => {
    const found = [...files.values()].filter(({ purpose }) => purpose === context.req.query('purpose'))
    return context.json(
      pageOf(found.map(({ text: _, ...file }) => file).toReversed(), context.req.query('after')),
    )
  })
  app.get('/v1/files/:id/content', (context) => {
    const file = files.get(context.req.param('id'))
    return file === undefined ? missing(context) : context.text(file.text)
  })
  app.delete('/v1/files/:id', (context) => {
    const id = context.req.param('id')
    return files.delete(id) ? context.json({ id, object: 'file', deleted: true }) : missing(context)
  })

  app.post('/v1/fine_tuning/jobs', async (context) => {
    const asked = await context.req.json()
    if (!files.has(asked.training_file)) return refuse(context, 400, 'invalid_file', 'There is no such file.')
    if (asked.model === 'not-for-tuning')
      return refuse(
        context,
        400,
        'model_not_available',
        'Model not-for-tuning is not available for fine-tuning.',
      )
    const job: StoredJob = {
      id: next('ftjob'),
      object: 'fine_tuning.job',
      status: 'validating_files',
      created_at: seconds,
      finished_at: null,
      model: asked.model,
      training_file: asked.training_file,
      fine_tuned_model: null,
      trained_tokens: null,
      result_files: [],
      metadata: keepsMetadata ? asked.metadata : null,
      seed: asked.seed,
      method: asked.method,
      error: null,
    }
    jobs.set(job.id, job)
    tell(job, `Created fine-tuning job: ${job.id}`)
    return context.json(job)
  })
  app.get('/v1/fine_tuning/jobs', (context) => {
    const wanted = Object.entries(context.req.query()).flatMap(([name, value]) => {
      const [, key] = /^metadata\[(.+)\]$/.exec(name) ?? []
      return key === undefined ? [] : [[key, value] as const]
    })
    const found = [...jobs.values()].filter((job) =>
      wanted.every(([key, value]) => job.metadata?.[key] === value),
    )
    return context.json(pageOf(found.toReversed(), context.req.query('after')))
  })

  const withJob =
    (take: (context: Context<Environment>, job: StoredJob) => Response) =>
    (context: Context<Environment>) => {
      const job = jobs.get(context.req.param('id') ?? '')
      return job === undefined ? missing(context) : take(context, job)
    }
  app.get(
    '/v1/fine_tuning/jobs/:id',
    withJob((context, job) => {
      advance(job)
      return context.json(job)
    }),
  )
  app.get(
    '/v1/fine_tuning/jobs/:id/events',
    withJob((context, job) => {
      const all = (events.get(job.id) ?? []).map((event) => ({
        ...event,
        object: 'fine_tuning.job.event',
        level: 'info',
        type: event.data === null ? 'message' : 'metrics',
      }))
      return context.json(pageOf(all.toReversed(), context.req.query('after')))
    }),
  )
  app.get(
    '/v1/fine_tuning/jobs/:id/checkpoints',
    withJob((context, job) => {
      const made = job.status === 'succeeded' ? [10, 5] : []
      const all = made.map((step) => ({
        id: `ftckpt-${job.id}-${step}`,
        object: 'fine_tuning.job.checkpoint',
        created_at: seconds,
        fine_tuned_model_checkpoint: `${job.fine_tuned_model}:ckpt-step-${step}`,
        fine_tuning_job_id: job.id,
        metrics: { step },
        step_number: step,
      }))
      return context.json(pageOf(all, context.req.query('after')))
    }),
  )
  const isActive = ({ status }: StoredJob) =>
    ['validating_files', 'queued', 'running', 'paused'].includes(status)
  app.post(
    '/v1/fine_tuning/jobs/:id/cancel',
    withJob((context, job) => {
      if (!isActive(job)) return refuse(context, 400, 'invalid_state', `Job has already ${job.status}.`)
      endJob(job, 'cancelled')
      return context.json(job)
    }),
  )
  app.post(
    '/v1/fine_tuning/jobs/:id/pause',
    withJob((context, job) => {
      if (!pauses) return refuse(context, 404, 'unknown_url', 'Unknown request URL.')
      job.status = 'paused'
      tell(job, 'Fine-tuning job paused')
      return context.json(job)
    }),
  )
  app.post(
    '/v1/fine_tuning/jobs/:id/resume',
    withJob((context, job) => {
      job.status = 'running'
      isWaiting = false
      tell(job, 'Fine-tuning job resumed')
      return context.json(job)
    }),
  )

  const chat = createSimulatedApp({ skill: 0.9 })
  app.post('/v1/chat/completions', async (context) => {
    const body = await context.req.json()
    const names = [...jobs.values()].flatMap(({ fine_tuned_model }) => fine_tuned_model ?? [])
    if (!names.some((name) => String(body.model).startsWith(name)))
      return refuse(context, 404, 'model_not_found', `The model ${body.model} does not exist.`)
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return chat.request('/v1/chat/completions', request, context.env)
  })

  const address = await serve(app as unknown as Hono)
  return {
    /** As `base_url` wants it. */
    address: `${address}/v1`,
    /** Milliseconds since the epoch, by its clock. */
    now: () => seconds * 1000,
    jobs: () => [...jobs.values()],
    /** Those that were uploaded. */
    files: () => [...files.values()].filter(({ purpose }) => purpose === 'fine-tune'),
    requests,
    fail(on: string, fault: ServiceFault['with'], times = 1): void {
      faults.push({ on, with: fault, times })
    },
    /** Jobs that wait at a step go on. */
    proceed(): void {
      isWaiting = false
    },
    /** Someone else cancels a job. */
    cancel(id: string): void {
      const job = jobs.get(id)
      if (job !== undefined) endJob(job, 'cancelled')
    },
  }
}

export type FineTuningServer = Awaited<ReturnType<typeof openFineTuningServer>>

function resultsOf(): string {
  const rows = Array.from({ length: steps }, (_, index) => `${index + 1},${1 / (index + 1)},0.5,`)
  return Buffer.from(['step,train_loss,train_mean_token_accuracy,valid_loss', ...rows].join('\n')).toString(
    'base64',
  )
}

function pageOf<Item extends { id: string }>(items: Item[], after: string | undefined) {
  const begin = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1
  const data = items.slice(begin, begin + pageSize)
  return {
    object: 'list',
    data,
    has_more: begin + data.length < items.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

function missing(context: Context<Environment>): Response {
  return refuse(context, 404, 'not_found', 'There is no such thing.')
}

function refuse(context: Context<Environment>, status: number, code: string, message: string): Response {
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return context.json({ error: { message, type, param: null, code } }, status as 400)
}
