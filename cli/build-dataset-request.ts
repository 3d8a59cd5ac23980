import type { DatasetRequest, DatasetRequestInput } from '../shared/core/contracts/dataset.ts'
import type { JsonObject } from '../shared/core/contracts/json.ts'
import { wrongUsage } from './command-error.ts'
import { parseSettings } from './parse-setting.ts'

export interface DatasetFlags {
  name?: string
  trajectories?: string[]
  expert?: string[]
  mix?: string[]
  mixShare?: number
  kind?: DatasetRequest['kind']
  set?: string[]
  minReward?: number
  format?: DatasetRequest['format']
  split?: string
  seed?: number
  maxTokens?: number
  tokenizer?: DatasetRequest['gates']['tokenizer']
  keepHeldOut?: boolean
  keepDuplicates?: boolean
  keepEmptyTurns?: boolean
  keepSameAction?: boolean
  endpoint?: string
  model?: string
  maxCost?: number
  rowsPerFile?: number
  score?: string[]
  pictures?: DatasetRequest['pictures']
}

/**
 * Builds the request from the options of `export`. The service supplies missing values and checks the request.
 * @throws CommandError for options that are no setting or no split, and for `--min-reward` with a kind other than sft
 */
export function buildDatasetRequest(runs: string[], flags: DatasetFlags): DatasetRequestInput {
  const parameters = parametersOf(flags)
  const gates = {
    ...(flags.maxTokens !== undefined && { max_tokens: flags.maxTokens }),
    ...(flags.tokenizer !== undefined && { tokenizer: flags.tokenizer }),
    ...(flags.keepHeldOut && { held_out: 'keep' as const }),
    ...(flags.keepDuplicates && { duplicates: 'keep' as const }),
    ...(flags.keepEmptyTurns && { empty_turns: 'keep' as const }),
    ...(flags.keepSameAction && { same_action: 'keep' as const }),
  }
  const model = {
    ...(flags.endpoint !== undefined && { endpoint: flags.endpoint }),
    ...(flags.model !== undefined && { id: flags.model }),
  }
  return {
    ...(flags.name !== undefined && { name: flags.name }),
    ...(runs.length > 0 && { runs }),
    ...(flags.trajectories !== undefined && { trajectories: flags.trajectories }),
    ...(flags.expert !== undefined && { experts: flags.expert }),
    ...mixOf(flags),
    ...(flags.kind !== undefined && { kind: flags.kind }),
    ...(isFilled(parameters) && { parameters }),
    ...(flags.format !== undefined && { format: flags.format }),
    ...(flags.pictures !== undefined && { pictures: flags.pictures }),
    ...(flags.split !== undefined && { splits: parseSplits(flags.split) }),
    ...(flags.score !== undefined && { scores: flags.score.map(parseScore) }),
    ...(flags.seed !== undefined && { seed: flags.seed }),
    ...(isFilled(gates) && { gates }),
    ...(isFilled(model) && { model }),
    ...(flags.maxCost !== undefined && { limits: { cost: flags.maxCost } }),
    ...(flags.rowsPerFile !== undefined && { rows_per_file: flags.rowsPerFile }),
  }
}

function parametersOf({ set = [], minReward, kind = 'sft' }: DatasetFlags): JsonObject {
  const parameters = parseSettings(set)
  if (minReward === undefined) return parameters
  if (kind !== 'sft') {
    throw wrongUsage(
      `--min-reward is for sft. What ${kind} takes: espalier datasets --kinds ${kind}; say it with --set name=value.`,
    )
  }
  return { ...parameters, min_reward: minReward }
}

function mixOf({ mix, mixShare }: DatasetFlags): Pick<DatasetRequestInput, 'mix'> {
  if (mix !== undefined)
    return { mix: { trajectories: mix, ...(mixShare !== undefined && { share: mixShare }) } }
  if (mixShare === undefined) return {}
  throw wrongUsage('--mix-share is the share of what --mix names. Give --mix with the id of an import.')
}

function parseScore(text: string): NonNullable<DatasetRequestInput['scores']>[number] {
  const [, name, bound, value] = /^\s*([^\s<>=]+)\s*(?:(>=|<=)\s*(\S+)\s*)?$/.exec(text) ?? []
  if (name === undefined || (bound !== undefined && !Number.isFinite(Number(value)))) {
    throw wrongUsage(
      `--score "${text}" is no score. Write its name alone, or with a bound: careful, "careful>=0.5" or "careful<=0.2".`,
    )
  }
  if (bound === undefined) return { name }
  return { name, [bound === '>=' ? 'at_least' : 'at_most']: Number(value) }
}

function parseSplits(text: string): Record<string, number> {
  const entries = text.split(',').map((part) => {
    const [, name, share] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(part) ?? []
    const number = Number(share)
    if (name !== undefined && Number.isFinite(number)) return [name, number] as const
    throw wrongUsage(`--split "${text}" is not a list of shares. Write train=0.9,validation=0.1.`)
  })
  const names = entries.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw wrongUsage(`--split names "${twice}" twice. Name it once.`)
  return Object.fromEntries(entries)
}

function isFilled(value: object): boolean {
  return Object.keys(value).length > 0
}
