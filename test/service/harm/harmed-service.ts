import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { ServiceApi } from '../../../chaos/api.ts'
import { compareRun, type Finding } from '../../../chaos/compare.ts'
import { ModelEndpoint } from '../../../chaos/model-endpoint.ts'
import { readOutcome } from '../../../chaos/outcome.ts'
import type { Plan } from '../../../chaos/plans.ts'
import type { ServiceDeath, ServiceProcess } from '../../../chaos/service-process.ts'
import { openSubject, submitPlan, type Undisturbed, undisturbedOf } from '../../../chaos/undisturbed.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Rounds of each harm: some in CI, and as many as this variable says by hand. */
export const harmRounds = Number(process.env.HARM_ROUNDS ?? 4)

const plans: readonly Plan[] = [
  { name: 'react', request: plan({ id: 'react' }, 8) },
  { name: 'mcts', request: plan({ id: 'mcts', iterations: 3, samples: 3, max_depth: 8 }, 3) },
  {
    name: 'rmcts',
    request: plan({ id: 'rmcts', proposals: 6, branching: 3, verdicts: 3, iterations: 2 }, 3),
  },
]

function plan(method: { id: string; [parameter: string]: unknown }, limit: number): Plan['request'] {
  return { environment: 'textcraft', method, tasks: { split: 'test', limit }, seed: 34 }
}

/**
 * The real service over a folder that a test harms, and an endpoint with books of its own. Its runs end as they do
 * undisturbed: {@link compare}.
 */
export interface HarmedService {
  api: ServiceApi
  service: ServiceProcess
  /** Processes of the service that ended by themselves. */
  deaths: ServiceDeath[]
  /** Starts the process. @returns false if it ended before it answered */
  start(): Promise<boolean>
  /** Submits the next run; the same number is the same run. */
  submit(number: number): Promise<Run>
  get(id: string): Promise<Run>
  untilEnded(id: string): Promise<Run>
  /** Compares an ended run with the same run undisturbed, once the endpoint's books agree unless `areSettled` is false. */
  compare(number: number, options?: { areSettled?: boolean }): Promise<Finding[]>
}

export async function harmedService(
  folder: string,
  options: { env?: Record<string, string> } = {},
): Promise<HarmedService> {
  const { outcomes } = await undisturbedOf(plans, join(await temporaryFolder(), 'undisturbed'))
  const endpoint = new ModelEndpoint({ seed: 34, isQuick: false })
  const service = await openSubject(folder, endpoint, { control: null, workers: 1, ...options })
  const deaths: ServiceDeath[] = []
  service.onDeath = (death) => void deaths.push(death)
  onTestFinished(async () => {
    await service.end('SIGKILL')
    await endpoint.close()
  })
  const api = new ServiceApi(service, () => undefined)
  const submitted = new Map<number, string>()
  const chosen = (number: number) => number % plans.length
  const get = (id: string) => api.json<Run>('GET', `/v1/runs/${id}`)
  return {
    api,
    service,
    deaths,
    async start() {
      const before = deaths.length
      service.launch()
      // A machine that does much else takes longer than its patience.
      while (!(await service.ready())) if (deaths.length > before) return false
      return true
    },
    async submit(number) {
      const run = await submitPlan(api, plans[chosen(number)] as Plan, number, `harmed-${number}`)
      submitted.set(number, run.id)
      return run
    },
    get,
    async untilEnded(id) {
      for (;;) {
        const run = await get(id)
        if (run.ended_at !== null) return run
        expect(run.status).not.toBe('paused')
        await delay(100)
      }
    },
    async compare(number, { areSettled = true } = {}) {
      const outcome = await readOutcome(api, submitted.get(number) as string)
      const { name } = plans[chosen(number)] as Plan
      const undisturbed = outcomes[chosen(number)] as Undisturbed
      const settled = () => endpoint.book.totals(`harmed-${number}`)
      const until = performance.now() + 60_000
      // Dead workers' reservations are settled a little after the run's end.
      const isBehind = () => areSettled && outcome.run.usage.model_calls !== settled().calls
      while (isBehind() && performance.now() < until) {
        await delay(500)
        outcome.run = await get(outcome.run.id)
      }
      return compareRun(name, outcome, undisturbed, settled())
    },
  }
}
