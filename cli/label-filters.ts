import type { Command } from 'commander'
import type { Query } from '../shared/core/client/transport.ts'
import { choiceOption } from './choice-option.ts'
import { wrongUsage } from './command-error.ts'
import { collect } from './parse-setting.ts'

export interface LabelFlags {
  experiment?: string
  tag?: string[]
  archived?: 'false' | 'true' | 'any'
}

export function addLabelFilters(command: Command): void {
  command
    .option('--experiment <name>', 'only members of this experiment')
    .option('--tag <word>', 'only items with this tag; may be given several times', collect)
    .addOption(
      choiceOption('--archived [which]', 'only archived items; with any: archived and unarchived items', [
        'false',
        'true',
        'any',
      ]).preset('true'),
    )
}

export function toLabelQuery({ archived, experiment, tag }: LabelFlags): Query {
  return { experiment, tag, archived }
}

export function toMetadataQuery(metadata: readonly string[]): Query {
  return Object.fromEntries(
    metadata.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw wrongUsage(`--metadata "${text}" is not name=value, such as team=vision.`)
      return [`metadata.${text.slice(0, at)}`, text.slice(at + 1)]
    }),
  )
}
