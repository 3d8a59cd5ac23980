import type { Json } from '../../../shared/core/contracts/json.ts'
import { asSetting, type Flag, flagWord, writeCommand } from '../../format/command-words.ts'
import { isRegistered } from '../../format/name-base.ts'
import { quoteForShell } from '../../format/quote-for-shell.ts'
import { isPlainText } from '../../format/safe-json.ts'
import type { TrainingDraft } from './training-draft.ts'

export function trainingCommand(draft: TrainingDraft, service: string): string | null {
  const { base, datasets, lora } = draft
  const name = baseWord(base)
  const [split] = datasets.map((dataset) => dataset.split)
  const { rank, ...loraRest } = lora ?? {}
  const isUnsaid =
    name === null || datasets.some((dataset) => dataset.split !== split) || Object.keys(loraRest).length > 0
  if (isUnsaid) return null
  const numbers: [string, unknown][] = [
    ['--lora-rank', rank],
    ['--seed', draft.seed],
    ['--max-cost', draft.limits?.cost],
    ['--max-time', draft.limits?.time],
    ['--checkpoint-steps', draft.checkpoint_steps],
    ['--keep-checkpoints', draft.keep_checkpoints],
  ]
  const texts: [string, string | undefined][] = [
    ['--base', name],
    ['--revision', 'hub' in base ? base.revision : undefined],
    ['--recipe', draft.recipe],
    ['--split', split],
    ['--trainer', draft.trainer],
    ...Object.entries(draft.hyperparameters ?? {}).map(([each, value]): [string, string] => [
      '--set',
      `${each}=${asSetting(value as Json)}`,
    ]),
    ['--name', draft.name],
  ]
  const flags: Flag[] = [
    ...[...texts, ...numbers].flatMap(([flag, value]): Flag[] =>
      value === undefined ? [] : [[flag, String(value)]],
    ),
    ...(lora != null && rank === undefined ? [['--lora'] as Flag] : []),
  ]
  const words = datasets.map(({ dataset, share }) => (share === undefined ? dataset : `${dataset}=${share}`))
  if (numbers.some(([, value]) => value !== undefined && typeof value !== 'number')) return null
  if (![...words, ...flags.flat()].every(isPlainText) || words.some((word) => word.startsWith('-')))
    return null
  return writeCommand(`espalier train --service ${quoteForShell(service)}`, [
    ...words.map(quoteForShell),
    ...flags.map(flagWord),
  ])
}

function baseWord(base: TrainingDraft['base']): string | null {
  if ('registered' in base) return isRegistered(base.registered) ? base.registered : null
  if ('folder' in base) return base.folder.startsWith('/') ? base.folder : null
  return base.hub === '' || isRegistered(base.hub) || /^[./~]/.test(base.hub) ? null : base.hub
}
