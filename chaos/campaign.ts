import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Run } from '../shared/core/contracts/run.ts'
import { ServiceApi } from './api.ts'
import { ChaosCluster } from './chaos-cluster.ts'
import { type ChoreCount, type ChoreName, Chores } from './chores.ts'
import { compareRun, type Finding } from './compare.ts'
import { Disturber } from './disturb.ts'
import type { KindId } from './kinds.ts'
import { LongerChores } from './longer-chores.ts'
import { ModelEndpoint } from './model-endpoint.ts'
import { readOutcome } from './outcome.ts'
import type { Plan } from './plans.ts'
import { type Step, schedule } from './schedule.ts'
import { openSubject, playExpert, playOn, submitPlan, type Undisturbed } from './undisturbed.ts'

export interface CampaignOptions {
  folder: string
  seed: number
  duration: number
  plans: readonly Plan[]
  kinds: readonly KindId[]
  world: 'local' | 'postgres'
  /** Of the PostgreSQL world. */
  objects: 'folder' | 'bucket'
  workers: number | null
  onProgress: (progress: Progress) => void
  onFinding: (finding: Finding) => void
}

export interface Progress {
  kind: KindId | null
  kills: number
  runsEnded: number
  runsOpen: number
  findings: number
}

interface Followed {
  plan: number
  id: string
  model: string
  last: Run | null
  ended: Run | null
  met: Set<KindId>
  resumed: number
  isFollowedUp: boolean
}

interface Subject {
  api: ServiceApi
  disturber: Disturber
  endpoint: ModelEndpoint
}

export interface Met {
  kind: KindId
  done: number
  runs: number
  episodes: number
}

export interface CampaignResult {
  met: Met[]
  findings: (Finding & { met: KindId[] })[]
  kills: number
  runs: number
  episodes: number
  trees: number
  calls: { counted: number; endpoint: number; cut: number }
  money: { counted: number; endpoint: number }
  resumed: number
  chores: Record<ChoreName, ChoreCount>
}

/** Work besides runs: on ended runs, so many side by side and each so often; sweeps and loops, one after the other. */
const most = { onRunsAtOnce: 2, onRuns: 12, sweeps: 5, loops: 3 }
const atOnce = 6
/**
 * Milliseconds: between polls of the runs, without any change until a waiting campaign gives up, and until dead
 * workers' reservations are settled: a heartbeat, a second read of the endpoint's log, and the sweeps between.
 */
const times = { look: 400, standstill: 150_000, settling: 120_000 }

export class Campaign {
  readonly #options: CampaignOptions
  readonly #undisturbed: readonly Undisturbed[]
  readonly #runs: Followed[] = []
  readonly #met = new Map<KindId, Met>()
  readonly #findings: CampaignResult['findings'] = []
  #submitting = 0
  #hasFollowed = false

  constructor(options: CampaignOptions, undisturbed: readonly Undisturbed[]) {
    this.#options = options
    this.#undisturbed = undisturbed
  }

  async play(): Promise<CampaignResult> {
    const { folder, seed, duration, kinds, objects, workers, world } = this.#options
    const endpoint = new ModelEndpoint({ seed, isQuick: false })
    const control = join(folder, 'chaos.json')
    const data = join(folder, 'data')
    const cluster = world === 'postgres' ? await ChaosCluster.open(folder, objects) : null
    const service = await openSubject(data, endpoint, {
      ...{ control, workers },
      ...(cluster && { words: cluster.serveWords, env: cluster.env }),
    })
    const disturber = new Disturber(service, endpoint, {
      control,
      data,
      command: () => longer.command,
      cluster,
    })
    service.onDeath = ({ hasStarted, how, launchedAt }) => {
      // A start may fail while writes fail. A started service stays.
      if (hasStarted || !disturber.hasStorageFailed(launchedAt))
        this.#find(null, 'service ended by itself', how)
    }
    const api: ServiceApi = new ServiceApi(service, ({ askedAt, path, status, body }) => {
      if (!disturber.hasStorageFailed(askedAt)) this.#find(null, 'server error', `${path}: ${status} ${body}`)
    })
    const find = (run: string | null, what: string, detail: string) => this.#findIn(run, what, detail)
    const longer = new LongerChores({
      api,
      endpoint,
      address: () => service.address,
      data,
      folder,
      find,
    })
    await longer.prepare()
    try {
      const chores = new Chores({ api, longer, kills: () => disturber.kills })
      await disturber.start()
      if (cluster !== null) {
        cluster.onDeath = (how, launchedAt) => {
          if (!disturber.hasStorageFailed(launchedAt)) this.#find(null, 'worker ended by itself', how)
        }
        await cluster.start(api, data, control)
      }
      const until = performance.now() + duration
      const disturbing = this.#disturb(disturber, schedule(seed, kinds), until)
      const following = this.#follow({ api, disturber, endpoint }, until).finally(() => {
        this.#hasFollowed = true
      })
      await Promise.all([disturbing, following, ...this.#work(api, chores, until)])
      await this.#untilSettled(api, endpoint)
      for (const finding of await chores.compare()) this.#findings.push({ ...finding, met: [] })
      return { ...(await this.#compare(api, endpoint, disturber)), chores: chores.counts }
    } finally {
      await service.end('SIGTERM')
      await cluster?.close()
      await endpoint.close()
      longer.close()
    }
  }

  #work(api: ServiceApi, chores: Chores, until: number): Promise<void>[] {
    const again = async (most: number, work: (time: number) => Promise<void>) => {
      for (let time = 0; time < most && (time === 0 || performance.now() < until); time += 1)
        await work(time).catch((error: Error) => this.#find(null, 'work failed', error.message))
    }
    let time = 0
    const onEndedRun = async () => {
      const number = time
      time += 1
      const ended = await this.#anEndedRun(number)
      if (ended !== null) await chores.do(ended, number)
    }
    return [
      ...Array.from({ length: most.onRunsAtOnce }, () => again(most.onRuns, onEndedRun)),
      again(most.sweeps, (number) => chores.sweep(number)),
      again(most.loops, async (number) => {
        const expert = await playExpert(api, number)
        await chores.train(expert)
        await chores.loop(expert, number)
      }),
    ]
  }

  async #anEndedRun(time: number): Promise<string | null> {
    for (;;) {
      const ended = this.#runs.filter((run) => run.ended !== null)
      if (ended.length > 0) return ended[time % ended.length]?.id ?? null
      if (this.#hasFollowed) return null
      await delay(times.look)
    }
  }

  async #disturb(disturber: Disturber, steps: Generator<Step, never>, until: number): Promise<void> {
    while (performance.now() < until) {
      const step = steps.next().value
      await delay(step.after)
      await disturber.do(step, () => this.#count(step.kind))
      this.#report(disturber, step.kind)
    }
    await disturber.calm()
  }

  async #follow(subject: Subject, until: number): Promise<void> {
    const { disturber } = subject
    let changed = performance.now()
    let before = ''
    for (;;) {
      const isUp = performance.now() >= until
      const open = this.#runs.filter(({ ended }) => ended === null)
      for (let count = open.length; count < atOnce && !isUp; count += 1) await this.#submitNext(subject)
      if (isUp && open.length === 0) return
      for (const run of open) await this.#look(subject, run)
      const now = JSON.stringify(
        open.map(({ last }) => [last?.status, last?.episodes, last?.usage.model_calls]),
      )
      if (now !== before) changed = performance.now()
      before = now
      if (isUp && performance.now() - changed > times.standstill) return
      this.#report(disturber, null)
      await delay(times.look)
    }
  }

  async #submitNext({ api, endpoint }: Subject): Promise<void> {
    const { plans } = this.#options
    const number = this.#submitting
    this.#submitting += 1
    const plan = number % plans.length
    const model = `chaos-${number}`
    const chosen = plans[plan] as Plan
    if (chosen.next !== undefined && 'retry' in chosen.next) endpoint.refusing.add(model)
    // Two concurrent requests create it once.
    const [one, other] = await Promise.all([1, 2].map(() => submitPlan(api, chosen, number, model)))
    const { id } = one as Run
    if (other?.id !== id) this.#find(null, 'run doubled', `${id} and ${other?.id} under one idempotency key`)
    this.#runs.push({
      plan,
      id,
      model,
      last: null,
      ended: null,
      met: new Set(),
      resumed: 0,
      isFollowedUp: chosen.next === undefined,
    })
  }

  async #look({ api, disturber, endpoint }: Subject, followed: Followed): Promise<void> {
    const run = await api.json<Run>('GET', `/v1/runs/${followed.id}`)
    followed.last = run
    if (run.ended_at !== null) {
      const { next } = this.#options.plans[followed.plan] as Plan
      endpoint.refusing.delete(followed.model)
      if (followed.isFollowedUp || next === undefined || !(await playOn(api, run, next))) followed.ended = run
      followed.isFollowedUp = true
    }
    // A run pauses, as intended, if its endpoint refuses connections for long.
    if (run.status === 'paused' && !disturber.isEndpointRefusing) {
      followed.resumed += 1
      await api.text('POST', `/v1/runs/${followed.id}/resume`, {}).catch((error: Error) => {
        if (!/409/.test(error.message)) throw error
      })
    }
  }

  #count(kind: KindId): void {
    const open = this.#runs.filter(({ ended }) => ended === null)
    const met = this.#met.get(kind) ?? { kind, done: 0, runs: 0, episodes: 0 }
    const active = open.reduce((sum, { last }) => sum + (last?.episodes.active ?? 0), 0)
    this.#met.set(kind, {
      kind,
      done: met.done + 1,
      runs: met.runs + open.length,
      episodes: met.episodes + active,
    })
    for (const run of open) run.met.add(kind)
  }

  async #untilSettled(api: ServiceApi, endpoint: ModelEndpoint): Promise<void> {
    const until = performance.now() + times.settling
    let open: readonly Followed[] = this.#runs
    while (open.length > 0 && performance.now() < until) {
      const usages = await Promise.all(open.map(({ id }) => api.json<Run>('GET', `/v1/runs/${id}`)))
      open = open.filter(({ model }, index) => {
        const booked = endpoint.book.totals(model)
        return usages[index]?.usage.model_calls !== booked.calls
      })
      if (open.length > 0) await delay(times.look)
    }
  }

  async #compare(
    api: ServiceApi,
    endpoint: ModelEndpoint,
    disturber: Disturber,
  ): Promise<Omit<CampaignResult, 'chores'>> {
    const { plans } = this.#options
    const result: Omit<CampaignResult, 'chores'> = {
      met: [...this.#met.values()],
      findings: this.#findings,
      kills: disturber.kills,
      runs: this.#runs.length,
      episodes: 0,
      trees: 0,
      calls: { counted: 0, endpoint: 0, cut: 0 },
      money: { counted: 0, endpoint: 0 },
      resumed: this.#runs.reduce((sum, { resumed }) => sum + resumed, 0),
    }
    let counted = 0
    let charged = 0
    for (const followed of this.#runs) {
      const outcome = await readOutcome(api, followed.id)
      const booked = endpoint.book.totals(followed.model)
      const undisturbed = this.#undisturbed[followed.plan] as Undisturbed
      const name = (plans[followed.plan] as Plan).name
      const findings = compareRun(name, outcome, undisturbed, booked)
      for (const finding of findings) this.#findings.push({ ...finding, met: [...followed.met] })
      const { ended } = followed
      if (ended !== null && JSON.stringify(ended.episodes) !== JSON.stringify(outcome.run.episodes)) {
        const detail = `${JSON.stringify(ended.episodes)}, later ${JSON.stringify(outcome.run.episodes)}`
        this.#find(followed, 'ended run changed', detail)
      }
      result.episodes += outcome.episodes.length
      result.trees += outcome.episodes.filter(({ tree }) => tree !== null).length
      result.calls.counted += outcome.run.usage.model_calls
      result.calls.endpoint += booked.calls
      result.calls.cut += booked.cut
      counted += Math.round((outcome.run.usage.cost ?? 0) * 1e9)
      charged += booked.cost
    }
    result.money = { counted: counted / 1e9, endpoint: charged / 1e9 }
    const { data } = await api.json<{ data: Run[] }>('GET', '/v1/runs?limit=1000')
    const known = new Set(this.#runs.map(({ id }) => id))
    const isOfPlan = ({ request }: Run) => /^chaos-\d+$/.test(request.model.id)
    for (const run of data)
      if (isOfPlan(run) && !known.has(run.id)) this.#find(null, 'run doubled', `${run.id} was not asked for`)
    return result
  }

  #find(followed: Followed | null, what: string, detail: string): void {
    const plan = followed === null ? null : (this.#options.plans[followed.plan]?.name ?? null)
    const met = followed === null ? [] : [...followed.met]
    const finding = { what, plan, run: followed?.id ?? null, episode: null, detail, met }
    this.#findings.push(finding)
    this.#options.onFinding(finding)
  }

  #findIn(run: string | null, what: string, detail: string): void {
    const finding = { what, plan: null, run, episode: null, detail, met: [] }
    this.#findings.push(finding)
    this.#options.onFinding(finding)
  }

  #report({ kills }: Disturber, kind: KindId | null): void {
    const runsEnded = this.#runs.filter(({ ended }) => ended !== null).length
    const runsOpen = this.#runs.length - runsEnded
    this.#options.onProgress({ kind, kills, runsEnded, runsOpen, findings: this.#findings.length })
  }
}
