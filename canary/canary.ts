// `npm run canary`: tests a deployed stage, and compares its results with this machine's.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../shared/core/client/api-error.ts'
import { ConnectionError } from '../shared/core/client/connection-error.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import { type CanaryResult, resultOfRun, spreadOf } from './canary-result.ts'
import { compareRuns } from './compare-runs.ts'
import { costOfCanary } from './cost-of-canary.ts'
import { readMeters } from './meters.ts'
import { type CanaryOptions, help, readOptions } from './options.ts'
import { type CanaryPlan, planCanary } from './plans.ts'
import { playHere, readStageEndpoints } from './play-here.ts'
import { type PlayedRun, readRun, runKey, startRun, untilEnded } from './play-on-stage.ts'
import { removeTraces } from './remove-traces.ts'
import { type CanaryStage, findStage } from './stage.ts'
import { openStageApi, patiently, type StageApi } from './stage-api.ts'
import { summarizeCanary } from './summary.ts'

const repository = join(import.meta.dirname, '..')

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options === null) {
    console.log(help)
    return 0
  }
  const stage = await findStage(options.stage, process.env)
  const endpoints = await readStageEndpoints(options, repository)
  const api = openStageApi(stage)
  const plans = planCanary(options)
  const from = Date.now()
  console.log(`Canary ${options.id} on the stage ${stage.name}, ${stage.api}`)
  const started: Run[] = []
  cancelWhenInterrupted(api, started)
  for (const plan of plans) started.push(await startRun(api, plan, options.id))
  const playing = Promise.all(started.map((run) => untilEnded(api, run.id, progressPrinter())))
  const [ended, here] = await Promise.all([playing, playHere(plans, endpoints)])
  const played = new Map<CanaryPlan['name'], PlayedRun>()
  for (const [index, { name }] of plans.entries()) {
    const run = ended[index]
    if (run !== undefined) played.set(name, await readRun(api, run))
  }
  const result = await resultOf({ options, stage, api, plans, played, here, from })
  console.log(summarizeCanary(result))
  if (options.json !== null) await writeFile(options.json, JSON.stringify(result, null, 2))
  return result.findings.length > 0 ? 1 : 0
}

interface Played {
  options: CanaryOptions
  stage: CanaryStage
  api: StageApi
  plans: CanaryPlan[]
  played: Map<CanaryPlan['name'], PlayedRun>
  here: Map<CanaryPlan['name'], PlayedRun>
  from: number
}

async function resultOf({ options, stage, api, plans, played, here, from }: Played): Promise<CanaryResult> {
  const both = plans.flatMap((plan) => {
    const [there, alone] = [played.get(plan.name), here.get(plan.name)]
    return there === undefined || alone === undefined ? [] : [{ plan, there, alone }]
  })
  const notes: string[] = []
  if (options.metersAfter > 0) {
    console.log(`Waiting ${options.metersAfter} s for the meters …`)
    await pause(options.metersAfter * 1000)
  }
  const measures = await orNote(notes, () => readMeters(stage, from))
  const traces = both.map(({ plan, there }) => ({
    run: there.run.id,
    idempotencyKey: runKey(plan, options.id),
  }))
  const removed = options.keep ? null : await orNote(notes, () => removeTraces(stage, traces))
  return {
    id: options.id,
    stage: stage.name,
    findings: both.flatMap(({ plan, there, alone }) => compareRuns(plan.name, there, alone)),
    runs: both.map(({ plan, there, alone }) => resultOfRun(plan.name, there, alone)),
    api: Object.fromEntries([...api.times].map(([route, times]) => [route, spreadOf(times)])),
    refusals: Object.fromEntries(api.refusals),
    measures,
    cost: measures === null ? [] : costOfCanary(measures),
    removed,
    notes,
  }
}

async function orNote<Result>(notes: string[], work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    notes.push(error.message)
    return null
  }
}

function cancelWhenInterrupted({ client }: StageApi, started: readonly Run[]): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, async () => {
      for (const { id } of started) {
        const cancelled = await patiently(() => client.changeRun(id, 'cancel')).catch(
          (error: unknown) => error,
        )
        const how = cancelled instanceof Error ? `stays as it is (${cancelled.message})` : 'is cancelled'
        console.error(`The run ${id} ${how}; its objects and items stay.`)
      }
      process.exit(2)
    })
  }
}

function progressPrinter(): (run: Run) => void {
  let last = 0
  return ({ id, episodes: { total, waiting, active } }) => {
    if (performance.now() - last < 10_000) return
    last = performance.now()
    console.log(`${id}: ${total - waiting - active} of ${total} episodes have ended, ${active} are active`)
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  const isParse = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  const isKnown =
    EspalierError.isInstance(error) || error instanceof ApiError || error instanceof ConnectionError
  console.error(
    isParse || isKnown ? `${(error as Error).message}\nnpm run canary -- --help says more.` : error,
  )
  process.exitCode = 2
}
