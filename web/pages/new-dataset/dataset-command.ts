import type { Json } from '../../../shared/core/contracts/json.ts'
import { asSetting, type Flag, flagWord, writeCommand } from '../../format/command-words.ts'
import { quoteForShell } from '../../format/quote-for-shell.ts'
import { isPlainText } from '../../format/safe-json.ts'
import type { DatasetDraft } from './dataset-draft.ts'
import { boundTexts } from './score-bounds.ts'

export function datasetCommand(draft: DatasetDraft, service: string): string | null {
  const flags = toFlags(draft)
  const { runs = [] } = draft
  const plain = flags !== null && [...runs, ...flags.flat()].every(isPlainText)
  if (!plain || runs.some((run) => run.startsWith('-'))) return null
  const start = `espalier export --service ${quoteForShell(service)}`
  return writeCommand(start, [...runs.map(quoteForShell), ...flags.map(flagWord)])
}

function toFlags(draft: DatasetDraft): Flag[] | null {
  const { endpoint, id, ...modelRest } = draft.model ?? {}
  const { cost, ...limitsRest } = draft.limits ?? {}
  const { duplicates, empty_turns, held_out, max_tokens, same_action, tokenizer } = draft.gates ?? {}
  const { rows_per_file, seed } = draft
  const numbers: [string, unknown][] = [
    ['--seed', seed],
    ['--rows-per-file', rows_per_file],
    ['--max-tokens', max_tokens ?? undefined],
    ['--max-cost', cost],
    ['--mix-share', draft.mix?.share],
  ]
  const isUnsaid =
    Object.keys(modelRest).length + Object.keys(limitsRest).length > 0 ||
    numbers.some(([, value]) => value !== undefined && typeof value !== 'number') ||
    (draft.scores ?? []).some((bound) => bound.by !== undefined || boundTexts(bound).length > 1) ||
    Object.keys(draft.splits ?? {}).some((name) => !/^[a-z][a-z0-9_]*$/.test(name))
  if (isUnsaid) return null
  const splits = Object.entries(draft.splits ?? {}).map(([name, share]) => `${name}=${share}`)
  const texts: [string, string | undefined][] = [
    ...(draft.trajectories ?? []).map((source): [string, string] => ['--trajectories', source]),
    ...(draft.experts ?? []).map((source): [string, string] => ['--expert', source]),
    ...(draft.mix?.trajectories ?? []).map((source): [string, string] => ['--mix', source]),
    ['--kind', draft.kind],
    ...Object.entries(draft.parameters ?? {}).map(([name, value]): [string, string] => [
      '--set',
      `${name}=${asSetting(value as Json)}`,
    ]),
    ['--format', draft.format],
    ['--split', splits.length === 0 ? undefined : splits.join(',')],
    ...(draft.scores ?? []).flatMap(boundTexts).map((bound): [string, string] => ['--score', bound]),
    ['--pictures', draft.pictures],
    ['--tokenizer', tokenizer],
    ['--endpoint', endpoint],
    ['--model', id],
    ['--name', draft.name],
  ]
  const marks = [
    held_out === 'keep' ? '--keep-held-out' : null,
    duplicates === 'keep' ? '--keep-duplicates' : null,
    empty_turns === 'keep' ? '--keep-empty-turns' : null,
    same_action === 'keep' ? '--keep-same-action' : null,
  ]
  return [
    ...[...texts, ...numbers].flatMap(([flag, value]): Flag[] =>
      value === undefined ? [] : [[flag, String(value)]],
    ),
    ...marks.flatMap((mark): Flag[] => (mark === null ? [] : [[mark]])),
  ]
}
