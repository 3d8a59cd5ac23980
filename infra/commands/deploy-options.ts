import type { ParseArgsOptionsConfig } from 'node:util'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import {
  parseStageSettings,
  type StageSettingName,
  stageSettingNames,
  stageSettingTexts,
  toTexts,
} from '../stage-settings.ts'
import { readOptions } from './read-options.ts'

const switches: ReadonlySet<StageSettingName> = new Set([
  'hosts',
  'web',
  'cloudfront',
  'dashboard',
  'trainings',
  'protect',
  'privateSubnets',
  'buildInAccount',
])

const usual = parseStageSettings({})

export function optionOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

const options: ParseArgsOptionsConfig = {
  ...Object.fromEntries(
    stageSettingNames.map((name) => [
      optionOf(name),
      { type: switches.has(name) ? ('boolean' as const) : ('string' as const) },
    ]),
  ),
  unset: { type: 'string', multiple: true },
  bootstrap: { type: 'boolean' },
  diff: { type: 'boolean' },
  rollback: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
}

const ownTexts: [option: string, text: string][] = [
  [
    '--unset NAME',
    'goes back to what is usual for a setting, instead of what was said before; may be repeated',
  ],
  ['--bootstrap', 'sets up the CDK in this account and region, once for each, and deploys nothing'],
  ['--diff', 'shows what a deployment would change, and deploys nothing'],
  ['--rollback', 'takes a deployment that is stuck halfway back to what was there before'],
  ['--yes', 'asks nothing, not even whether new rights are right'],
]

export const deployUsage = `npm run deploy -- [--stage dev] [--mail address] [option …]

${[...stageSettingNames.map(lineOf), ...ownTexts].map(([option, text]) => `  ${option.padEnd(22)}${text}`).join('\n')}

A stage remembers its settings: what is not said is taken from its last deployment.`

function lineOf(name: StageSettingName): [option: string, text: string] {
  const value = usual[name]
  if (!switches.has(name)) {
    return [
      `--${optionOf(name)}`,
      `${stageSettingTexts[name]}${value === undefined ? '' : ` (usually ${value})`}`,
    ]
  }
  return [
    `--${value === true ? 'no-' : ''}${optionOf(name)}`,
    `${value === true ? 'without: ' : ''}${stageSettingTexts[name]}`,
  ]
}

export interface DeployOptions {
  given: Partial<Record<StageSettingName, unknown>>
  unset: StageSettingName[]
  act: 'deploy' | 'bootstrap' | 'diff' | 'rollback'
  yes: boolean
  help: boolean
}

/** @throws EspalierError `invalid_request` for an unknown option */
export function readDeployOptions(words: string[]): DeployOptions {
  const values = readOptions(words, options, deployUsage)
  const given = stageSettingNames
    .map((name) => [name, values[optionOf(name)]] as const)
    .filter(([, value]) => value !== undefined)
  const unset = ([values.unset ?? []].flat() as string[]).map(toSettingName)
  const acts = (['bootstrap', 'diff', 'rollback'] as const).filter((name) => values[name] === true)
  const [act = 'deploy', ...others] = acts
  if (others.length > 0) {
    throw new EspalierError('invalid_request', `--${act} and --${others[0]} exclude each other.`)
  }
  const { yes, help } = values
  return { given: Object.fromEntries(given), unset, act, yes: yes === true, help: help === true }
}

function toSettingName(option: string): StageSettingName {
  const name = stageSettingNames.find((one) => optionOf(one) === option.replace(/^(--)?(no-)?/, ''))
  if (name !== undefined && name !== 'stage') return name
  const known = stageSettingNames.filter((one) => one !== 'stage').map(optionOf)
  throw new EspalierError(
    'invalid_request',
    `--unset names no setting "${option}". Choose one of: ${known.join(', ')}.`,
    { param: 'unset' },
  )
}

export function describeSettings(settings: Readonly<Record<string, unknown>>): string {
  return toTexts(settings)
    .map(([name, text]) => {
      if (text === 'true') return `--${optionOf(name)}`
      return text === 'false' ? `--no-${optionOf(name)}` : `--${optionOf(name)} ${text}`
    })
    .join(' ')
}
