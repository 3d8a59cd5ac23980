// `npm run chaos`: plays runs in the real service while it is killed and disturbed, and reports the results.
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { Campaign, type CampaignOptions, type CampaignResult, type Progress } from './campaign.ts'
import type { Finding } from './compare.ts'
import { chooseKinds, kinds, kindsIn } from './kinds.ts'
import { makePlans } from './plans.ts'
import { undisturbedOf } from './undisturbed.ts'

const findingsShown = 5

const help = `npm run chaos -- [options]

Plays runs of many methods in the real service (\`espalier serve\`) against a model endpoint of its own, kills and
disturbs the service by a seeded schedule, and compares each run with the same run undisturbed: every episode ended
once and as it should, every tree the same bytes, the money the same as in the endpoint's books to the last digit.
Prints a table of what was tried and found. Exit code 1: something was found.

  --minutes N     how long it is disturbed (1); the runs that are open then go on to their ends
  --seed N        of the plans and the schedule (by default a new one, which is printed)
  --only A,B      only these disturbances, or groups of them
  --plans N       how many different runs (10; 15 from three minutes on)
  --workers N     worker processes of the service (by default as many as it takes itself)
  --world NAME    local (default), or postgres: a PostgreSQL of its own, and two workers outside the service
  --objects PLACE of the world postgres: folder (default), or bucket: of an S3 emulator; workers commit in groups
  --keep          keep the data folder, and print where it is
  --json FILE     write the result there, with every finding

Disturbances, by group:
${[...Map.groupBy(kinds, ({ group }) => group)]
  .map(
    ([group, those]) =>
      `  ${group}\n${those.map(({ id, what }) => `    ${id.padEnd(13)} ${what}`).join('\n')}`,
  )
  .join('\n')}
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      minutes: { type: 'string', default: '1' },
      seed: { type: 'string' },
      only: { type: 'string' },
      plans: { type: 'string' },
      workers: { type: 'string' },
      world: { type: 'string', default: 'local' },
      objects: { type: 'string', default: 'folder' },
      keep: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  })
  if (values.help) {
    console.log(help)
    return 0
  }
  const minutes = toNumber('minutes', values.minutes, 0.05)
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : toNumber('seed', values.seed, 0)
  const { objects, world } = values
  if (world !== 'local' && world !== 'postgres')
    throw new EspalierError('invalid_request', `--world is local or postgres, not "${world}".`)
  if (objects !== 'folder' && (objects !== 'bucket' || world === 'local')) {
    const places = world === 'local' ? 'folder in the local world' : 'folder or bucket'
    throw new EspalierError('invalid_request', `--objects is ${places}, not "${objects}".`)
  }
  const chosen = kindsIn(world, values.only === undefined ? undefined : chooseKinds(values.only.split(',')))
  const count = values.plans === undefined ? (minutes < 3 ? 10 : 15) : toNumber('plans', values.plans, 1)
  const workers = values.workers === undefined ? null : toNumber('workers', values.workers, 0)
  const plans = makePlans(seed, count)
  const folder = await mkdtemp(join(tmpdir(), 'espalier-chaos-'))
  const only = values.only === undefined ? '' : ` --only ${values.only}`
  const processes = workers === null ? '' : ` --workers ${workers}`
  const place = `${world === 'local' ? '' : ` --world ${world}`}${objects === 'folder' ? '' : ` --objects ${objects}`}`
  const repeat = `npm run chaos -- --minutes ${minutes} --seed ${seed} --plans ${count}${only}${processes}${place}`
  console.log(repeat)
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      if (!values.keep) rmSync(folder, { recursive: true, force: true })
      process.exit(2)
    })
  }
  try {
    const started = performance.now()
    const { outcomes, wasCached } = await undisturbedOf(plans, join(folder, 'undisturbed'))
    const episodes = outcomes.reduce((sum, outcome) => sum + outcome.episodes.length, 0)
    const how = wasCached ? 'from the cache' : `played in ${secondsSince(started)} s`
    console.log(`Undisturbed: ${plans.length} runs, ${episodes} episodes, ${how}.`)
    const onProgress = progressPrinter(performance.now())
    const onFinding = ({ what, detail }: Finding) => console.log(`finding   ${what}: ${detail}`)
    const options: CampaignOptions = {
      folder,
      seed,
      duration: minutes * 60_000,
      plans,
      kinds: chosen,
      world,
      objects,
      workers,
      onProgress,
      onFinding,
    }
    const result = await new Campaign(options, outcomes).play()
    console.log(`\n${summarize(result, repeat)}`)
    if (values.json !== undefined)
      await writeFile(values.json, JSON.stringify({ repeat, ...result }, null, 2))
    return result.findings.length > 0 ? 1 : 0
  } finally {
    if (values.keep) console.log(`data      ${folder}`)
    else await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

function toNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= least) return value
  throw new EspalierError('invalid_request', `--${name} is a number, at least ${least}, not "${text}".`)
}

function progressPrinter(started: number): (progress: Progress) => void {
  let last = 0
  return ({ kind, kills, runsEnded, runsOpen, findings }) => {
    if (kind === null && performance.now() - last < 10_000) return
    last = performance.now()
    const found = findings > 0 ? `, ${findings} findings` : ''
    const now = secondsSince(started).padStart(5)
    console.log(
      `${now} s  ${(kind ?? '').padEnd(13)} ${kills} kills; runs: ${runsEnded} ended, ${runsOpen} open${found}`,
    )
  }
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(0)
}

try {
  process.exitCode = await main()
} catch (error) {
  const isUsage =
    EspalierError.isInstance(error) || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? `${(error as Error).message}\nnpm run chaos -- --help says more.` : error)
  // What disturbs and asks goes on otherwise.
  process.exit(2)
}

function summarize(result: CampaignResult, repeat: string): string {
  const { met, findings, calls, money } = result
  const rows = kinds.flatMap(({ id, what }) => {
    const row = met.find(({ kind }) => kind === id)
    if (row === undefined) return []
    const count = findings.filter((finding) => finding.met.includes(id)).length
    return [[id, what, `${row.done}`, `${row.runs}`, `${row.episodes}`, `${count}`]]
  })
  const head = ['disturbance', 'what', 'done', 'runs met', 'episodes met', 'findings*']
  return [
    table([head, ...rows]),
    '* findings in runs that met it; most runs meet several',
    '',
    ...listFindings(findings),
    `kills     ${result.kills}`,
    `runs      ${result.runs}, ${result.episodes} episodes, ${result.trees} trees compared; resumed ${result.resumed} times`,
    `work      ${Object.entries(result.chores)
      .map(([name, { done, kills }]) => `${name} ${done} (${kills} kills met)`)
      .join(', ')}`,
    `calls     ${calls.counted} counted, ${calls.endpoint} at the endpoint, ${calls.cut} of them cut`,
    `money     $${money.counted.toFixed(9)} counted, $${money.endpoint.toFixed(9)} at the endpoint`,
    `findings  ${findings.length}`,
    `again     ${repeat}`,
  ].join('\n')
}

function listFindings(findings: CampaignResult['findings']): string[] {
  const lines: string[] = []
  for (const [what, same] of Map.groupBy(findings, (finding) => finding.what)) {
    lines.push(`FOUND ${what}: ${same.length}`)
    for (const { plan, run, episode, detail, met } of same.slice(0, findingsShown)) {
      const where = [plan, run, episode].filter((part) => part !== null).join(', ')
      lines.push(
        `  ${where === '' ? '' : `${where}: `}${detail}${met.length > 0 ? ` (met ${met.join(', ')})` : ''}`,
      )
    }
    if (same.length > findingsShown) lines.push(`  and ${same.length - findingsShown} more`)
  }
  return lines.length > 0 ? [...lines, ''] : lines
}

function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
