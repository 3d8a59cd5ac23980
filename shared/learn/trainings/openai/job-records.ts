import { type FineTuningEvent, type FineTuningJob, hasJobEnded, jobMarks } from './api-shapes.ts'
import { type FineTuningService, ServiceRefusalError } from './fine-tuning-service.ts'

interface Known {
  jobs: FineTuningJob[]
  events: Map<string, FineTuningEvent[]>
  complete: Set<string>
  results: Map<string, string>
}

export const filePrefix = (training: string) => `espalier-${training}-`

export function startNumberOf({ metadata }: FineTuningJob, place: number): number {
  const start = Number(metadata?.[jobMarks.start])
  return Number.isInteger(start) && start > 0 ? start : place + 1
}

/**
 * Caches the service's record of each training, the only record. Unchanging data is read once in the life of this
 * process.
 */
export class JobRecords {
  readonly #service: FineTuningService
  readonly #known = new Map<string, Known>()

  constructor(service: FineTuningService) {
    this.#service = service
  }

  async list(training: string): Promise<FineTuningJob[]> {
    const files = await this.#service.files(filePrefix(training))
    const jobs = await this.#service.jobs(training, new Set(files.map(({ id }) => id)))
    return this.#keep(training, jobs)
  }

  async current(training: string): Promise<FineTuningJob[]> {
    const known = this.#known.get(training)?.jobs ?? []
    if (known.length === 0) return this.list(training)
    try {
      const jobs = await Promise.all(known.map((job) => (hasJobEnded(job) ? job : this.#service.job(job.id))))
      return this.#keep(training, jobs)
    } catch (error) {
      if (!(error instanceof ServiceRefusalError) || error.status !== 404) throw error
      return this.list(training)
    }
  }

  async events(training: string, job: FineTuningJob): Promise<readonly FineTuningEvent[]> {
    const { complete, events } = this.#of(training)
    const known = events.get(job.id) ?? []
    if (complete.has(job.id)) return known
    const ids = new Set(known.map(({ id }) => id))
    const all = [...known, ...(await this.#service.events(job.id, (id) => ids.has(id)))]
    events.set(job.id, all)
    if (hasJobEnded(job)) complete.add(job.id)
    return all
  }

  async results(training: string, { id, result_files }: FineTuningJob): Promise<string | null> {
    const [file] = result_files ?? []
    if (file === undefined) return null
    const { results } = this.#of(training)
    const text = results.get(id) ?? (await this.#service.readFile(file))
    results.set(id, text)
    return text
  }

  forget(training: string): void {
    this.#known.delete(training)
  }

  #keep(training: string, jobs: FineTuningJob[]): FineTuningJob[] {
    const known = this.#of(training)
    known.jobs = jobs.toSorted(
      (one, other) => startNumberOf(one, 0) - startNumberOf(other, 0) || one.created_at - other.created_at,
    )
    return known.jobs
  }

  #of(training: string): Known {
    const known = this.#known.get(training)
    if (known !== undefined) return known
    const nothing = { jobs: [], events: new Map(), complete: new Set<string>(), results: new Map() }
    this.#known.set(training, nothing)
    return nothing
  }
}
