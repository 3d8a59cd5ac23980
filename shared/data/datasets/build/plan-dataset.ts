import type { DatasetRequest } from '../../../core/contracts/dataset.ts'
import { isFinal } from '../../../core/engine/runs/run-row.ts'
import { canonicalJson } from '../canonical-json.ts'
import type { ListedAttempt, OpenAttempts, Source } from '../open-attempts.ts'
import type { SplitsOf } from '../splits-of.ts'
import { LeftOut } from './left-out.ts'
import type { Plan, PlannedAttempt, PlannedTask, PlanSource } from './plan.ts'

/**
 * Numbers tasks in the order of their first appearance. Tasks with the same environment, data and id are equal. If
 * one side does not know its data, as with some imports, environment and id decide.
 */
export class TaskIndex {
  readonly tasks: IndexedTask[] = []
  readonly #byName = new Map<string, number | number[]>()

  add({ environment, data, task }: IndexedTask): number {
    const name = `${environment}\n${task}`
    const known = this.#byName.get(name)
    const numbers = known === undefined ? [] : typeof known === 'number' ? [known] : known
    const found = numbers.find((number) => {
      const other = this.tasks[number]?.data ?? null
      return other === data || other === null || data === null
    })
    if (found !== undefined) {
      const same = this.tasks[found]
      if (same !== undefined) same.data ??= data
      return found
    }
    const number = this.tasks.push({ environment, data, task }) - 1
    this.#byName.set(name, numbers.length === 0 ? number : [...numbers, number])
    return number
  }
}

/**
 * Attempts per part: few enough that its trees are read within a minute at 100 ms each, and enough that a million
 * attempts are 4,000 messages. A task is never divided.
 */
const attemptsPerPart = 256
const storedAtOnce = 16

export interface PlanNeeds {
  attempts: OpenAttempts
  splitsOf: SplitsOf
  store(part: number, tasks: PlannedTask[]): Promise<void>
  signal?: AbortSignal | undefined
}

/**
 * Lists every attempt once, in its present state, and divides the tasks among parts. Tasks keep the order of their
 * first appearance, attempts that of the request's sources. Memory holds a line per attempt.
 */
export async function planDataset(request: DatasetRequest, needs: PlanNeeds): Promise<Plan> {
  const { attempts, signal } = needs
  const index = new TaskIndex()
  const lines: { attempts: string[]; experts: string[] | null }[] = []
  const sources: PlanSource[] = []
  const rules = new Map<string, Map<string, string[]>>()
  const leftOut = new LeftOut()
  const warnings: string[] = []
  const wanted = [
    ...[...request.runs, ...request.trajectories].map((id) => ({ id, expert: false })),
    ...request.experts.map((id) => ({ id, expert: true })),
  ]
  for (const [place, { id, expert }] of wanted.entries()) {
    const source = await attempts.source(id)
    const filter = await attempts.scoreFilter(expert ? { parameters: {} } : request, source)
    let count = 0
    for await (const listed of attempts.list(source)) {
      if (count % 1000 === 0) signal?.throwIfAborted()
      if (typeof listed === 'string') {
        if (!expert) leftOut.add(listed)
        continue
      }
      const judged = filter(listed)
      if (typeof judged === 'string') {
        leftOut.add(judged)
        continue
      }
      count += 1
      const number = index.add(listed.facts)
      lines[number] ??= { attempts: [], experts: null }
      if (expert) lines[number].experts ??= []
      const ofTask = expert ? lines[number].experts : lines[number].attempts
      ofTask?.push(toLine({ ...toPlanned(place, source, listed), ...judged }))
    }
    sources.push(toPlanSource(source, expert, count))
    warnings.push(...goingWarning(source))
    noteRules(rules, source)
  }
  warnings.push(...mixedWarning(index), ...[...rules].flatMap(rulesWarning))

  const unknown = new Set<string>()
  let position = 0
  let tasks = 0
  let parts = 0
  let part: PlannedTask[] = []
  let inPart = 0
  let storing: Promise<void>[] = []
  const endPart = async () => {
    signal?.throwIfAborted()
    storing.push(needs.store(parts, part))
    parts += 1
    part = []
    inPart = 0
    if (storing.length < storedAtOnce) return
    await Promise.all(storing)
    storing = []
  }
  for (const [number, { environment, data, task }] of index.tasks.entries()) {
    const found = lines[number]
    // A task played only by experts yields no row.
    if (found === undefined || found.attempts.length === 0) continue
    const known = await needs.splitsOf(environment, data)
    if (known === null) unknown.add(environment)
    const task_split = known?.get(task)?.split ?? null
    const own = found.attempts.map(fromLine)
    const experts = (found.experts ?? []).map(fromLine)
    part.push({ environment, data, task, task_split, position, attempts: own, experts })
    delete lines[number]
    tasks += 1
    position += own.length
    inPart += own.length + experts.length
    if (inPart >= attemptsPerPart) await endPart()
  }
  if (part.length > 0) await endPart()
  await Promise.all(storing)
  if (request.gates.held_out === 'drop') warnings.push(...[...unknown].map(unknownWarning))
  return { sources, attempts: position, tasks, parts, left_out: leftOut.counts(), warnings }
}

function toPlanned(place: number, source: Source, { facts, part, ended }: ListedAttempt): PlannedAttempt {
  const { episode, attempt, status, reward, success, method, model, seed } = facts
  const own = source.sort === 'run' || part === null ? {} : { own: { part, method, model, seed } }
  return { source: place, episode, attempt, status, reward, success, ended, ...own }
}

type Line = [
  number,
  string,
  number,
  PlannedAttempt['status'],
  number | null,
  boolean,
  string | null,
  PlannedAttempt['own'] | null,
  Pick<PlannedAttempt, 'scores' | 'steps'>?,
]

/** An attempt as text without names: memory holds up to a million of them. */
function toLine(planned: PlannedAttempt): string {
  const { source, episode, attempt, status, reward, success, ended, own = null, scores, steps } = planned
  const line: Line = [source, episode, attempt, status, reward, success, ended, own]
  const judged = { ...(scores && { scores }), ...(steps && { steps }) }
  return JSON.stringify(Object.keys(judged).length === 0 ? line : [...line, judged])
}

function fromLine(text: string): PlannedAttempt {
  const [source, episode, attempt, status, reward, success, ended, own, judged] = JSON.parse(text) as Line
  const planned = { source, episode, attempt, status, reward, success, ended }
  return { ...planned, ...(own !== null && { own }), ...judged }
}

function toPlanSource(source: Source, expert: boolean, attempts: number): PlanSource {
  const { id, sort } = source
  if (source.sort === 'import') return { id, sort, expert, common: null, attempts }
  const { environment, data = null, method, model, seed } = source.run.request
  const { provenance } = source.run
  const played = `${model.endpoint}/${model.id}`
  const { max_pictures } = model
  const shown = max_pictures === undefined ? {} : { max_pictures }
  const common = { environment, data, method: method.id, model: played, seed, provenance, ...shown }
  return { id, sort, expert, common, attempts }
}

function goingWarning(source: Source): string[] {
  if (source.sort === 'import' || isFinal(source.run.status)) return []
  const { id, status, episodes } = source.run
  const ended = episodes.total - episodes.waiting - episodes.active
  return [
    `The run ${id} was still ${status} when the dataset was planned: ${ended} of its ${episodes.total} episodes had ended. Build the dataset again once it has ended.`,
  ]
}

function unknownWarning(environment: string): string {
  return `The tasks of ${environment} are not known here, so it is unknown which of them are held out.`
}

function mixedWarning(index: TaskIndex): string[] {
  const environments = [...new Set(index.tasks.map(({ environment }) => environment))]
  if (environments.length < 2) return []
  return [
    `The rows are of several environments: ${environments.join(', ')}. The lineage says which each is of.`,
  ]
}

function noteRules(rules: Map<string, Map<string, string[]>>, source: Source): void {
  if (source.sort === 'import' || source.run.request.environment_options === undefined) return
  const { environment, environment_options } = source.run.request
  const options = canonicalJson(environment_options)
  const byOptions = rules.get(environment) ?? new Map<string, string[]>()
  rules.set(environment, byOptions.set(options, [...(byOptions.get(options) ?? []), source.id]))
}

function rulesWarning([environment, byOptions]: [string, ReadonlyMap<string, string[]>]): string[] {
  if (byOptions.size < 2) return []
  const shown = [...byOptions].map(([options, runs]) => `${runs.join(', ')}: ${options}`)
  return [
    `The runs play ${environment} with different options (${shown.join('; ')}), so that texts or rewards of one task may not be comparable. Build a dataset for each, or leave runs out.`,
  ]
}

export interface IndexedTask {
  environment: string
  data: string | null
  task: string
}
