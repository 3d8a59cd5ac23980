import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { EspalierError } from '../shared/core/contracts/errors.ts'

export const help = `npm run canary -- --stage NAME [options]

Tries a stage that is deployed: plays simulated episodes and some on hosts over its public API, plays the same on this
machine, and compares every tree byte for byte. Prints latencies, hops (how often an episode was taken up by a worker),
conflicts, and what it cost by the meters of the bill. Deploys nothing. What it made is removed in the end.

Needs a key of the stage with runs:write and runs:read in ESPALIER_API_KEY, AWS credentials that may read the stage's
parameter, metrics and functions and remove its objects and items, and the code that was deployed.

  --stage NAME         the stage
  --episodes N         simulated episodes (2000)
  --hosted N           episodes whose environment runs on the stage's hosts (20); 0 leaves them out
  --parallel N         episodes in flight at most (64)
  --seed N             of the runs (1)
  --endpoint NAME      a simulated endpoint of the stage (simulated)
  --endpoints FILE     the endpoints.json that was deployed, for what it says of that endpoint (endpoints.NAME.json or
                       endpoints.json here)
  --id ID              takes up the runs of a canary that was interrupted, by the id that it printed
  --meters-after N     seconds until CloudWatch is asked, which counts late (180)
  --keep               removes nothing
  --json FILE          writes the result there

Exit code 0: every tree is the same and no episode errored; 1: something was found; 2: it could not be tried. Ctrl-C cancels
its runs. One that was killed does no harm: its runs go on to their ends, and --id takes them up.
`

export interface CanaryOptions {
  stage: string
  episodes: number
  hosted: number
  parallel: number
  seed: number
  endpoint: string
  endpoints: string | null
  id: string
  metersAfter: number
  keep: boolean
  json: string | null
}

/**
 * @returns null if help is requested
 * @throws EspalierError `invalid_request` that names the option
 */
export function readOptions(words: readonly string[]): CanaryOptions | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      help: { type: 'boolean', short: 'h' },
      stage: { type: 'string' },
      episodes: { type: 'string', default: '2000' },
      hosted: { type: 'string', default: '20' },
      parallel: { type: 'string', default: '64' },
      seed: { type: 'string', default: '1' },
      endpoint: { type: 'string', default: 'simulated' },
      endpoints: { type: 'string' },
      id: { type: 'string' },
      'meters-after': { type: 'string', default: '180' },
      keep: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  })
  if (values.help) return null
  if (values.stage === undefined) throw refused('stage', 'Say which stage: --stage NAME.')
  return {
    stage: values.stage,
    episodes: toCount('episodes', values.episodes, 1),
    hosted: toCount('hosted', values.hosted, 0),
    parallel: toCount('parallel', values.parallel, 1),
    seed: toCount('seed', values.seed, 0),
    endpoint: values.endpoint,
    endpoints: values.endpoints ?? null,
    id: values.id ?? randomBytes(4).toString('hex'),
    metersAfter: toCount('meters-after', values['meters-after'], 0),
    keep: values.keep,
    json: values.json ?? null,
  }
}

function toCount(name: string, text: string, least: number): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isInteger(value) && value >= least) return value
  throw refused(name, `--${name} is a whole number, at least ${least}, not "${text}".`)
}

function refused(param: string, message: string): EspalierError {
  return new EspalierError('invalid_request', message, { param })
}
