import type {
  Dataset,
  DatasetFormatInfo,
  DatasetKindInfo,
  DatasetRequestInput,
} from '../../../shared/core/contracts/dataset.ts'
import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import { isObject } from '../../components/schema-fields/read-fields.ts'
import { withField } from '../../format/with-field.ts'

export type DatasetDraft = DatasetRequestInput

const sourceFields = ['runs', 'trajectories', 'experts'] as const
const ownFields: readonly string[] = [...sourceFields, 'kind', 'format']

export function readDraft(search: URLSearchParams): DatasetDraft {
  const draft: JsonObject = { ...parseSettings(search.get('settings')) }
  for (const field of sourceFields) {
    const ids = (search.get(field) ?? '').split(',').filter((id) => id !== '')
    if (ids.length > 0) draft[field] = [...new Set(ids)]
  }
  for (const field of ['kind', 'format']) {
    const id = search.get(field)
    if (id) draft[field] = id
  }
  return draft as DatasetDraft
}

function parseSettings(text: string | null): JsonObject {
  if (text === null) return {}
  try {
    const settings = JSON.parse(text) as Json
    if (!isObject(settings)) return {}
    return Object.fromEntries(Object.entries(settings).filter(([name]) => !ownFields.includes(name)))
  } catch (error) {
    // The address was truncated: keep its other entries.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

export function writeDraft(draft: DatasetDraft): URLSearchParams {
  const search = new URLSearchParams()
  for (const field of sourceFields) {
    const ids = draft[field] ?? []
    if (ids.length > 0) search.set(field, ids.join(','))
  }
  if (draft.kind !== undefined) search.set('kind', draft.kind)
  if (draft.format !== undefined) search.set('format', draft.format)
  const settings = Object.entries(draft).filter(([name]) => !ownFields.includes(name))
  if (settings.length > 0) search.set('settings', JSON.stringify(Object.fromEntries(settings)))
  return search
}

export function withDraft(address: URLSearchParams, draft: DatasetDraft): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const name of [...ownFields, 'settings']) next.delete(name)
  for (const [name, value] of writeDraft(draft)) next.set(name, value)
  return next
}

export function draftAddress(request: Dataset['request']): string {
  const { gates, limits, parameters, rows_per_file, seed, ...rest } = request
  const chosenGates = Object.fromEntries(
    Object.entries(gates).filter(([name, value]) => value !== defaultGates[name as keyof typeof gates]),
  )
  const draft: DatasetDraft = {
    ...rest,
    ...(isFilled(parameters) && { parameters }),
    ...(isFilled(limits) && { limits }),
    ...(isFilled(chosenGates) && { gates: chosenGates }),
    ...(seed !== 0 && { seed }),
    ...(rows_per_file !== 10_000 && { rows_per_file }),
  }
  return `/datasets/new?${writeDraft(draft)}`
}

/** The defaults; a test compares them with the contract. */
export const defaultGates: Dataset['request']['gates'] = {
  duplicates: 'drop',
  held_out: 'drop',
  empty_turns: 'drop',
  same_action: 'drop',
  max_tokens: null,
  tokenizer: 'estimate',
}

/**
 * Changes the kind. Parameters of the old kind and fields without use are removed. If the format cannot represent the
 * new kind's rows, the first suitable one replaces it.
 */
export function withKind(draft: DatasetDraft, kind: DatasetKindInfo): DatasetDraft {
  const { experts, format, limits, model, parameters: _, ...rest } = draft
  const fits = format === undefined || kind.formats.includes(format)
  const next = {
    ...rest,
    kind: kind.id,
    ...(kind.uses_experts && experts !== undefined && { experts }),
    ...(kind.asks_model && limits !== undefined && { limits }),
    ...(kind.asks_model && model !== undefined && { model }),
    ...(format !== undefined && { format: fits ? format : (kind.formats[0] ?? format) }),
  }
  return withFormat(next, [kind])
}

export function withFormat(draft: DatasetDraft, kinds: readonly DatasetKindInfo[]): DatasetDraft {
  const { format, kind: chosen = 'sft' } = draft
  const kind = kinds.find(({ id }) => id === chosen)
  if (format !== undefined || kind === undefined || kind.formats.includes('openai')) return draft
  return withField(draft, 'format', kind.formats[0])
}

export function hasSources({ runs = [], trajectories = [] }: DatasetDraft): boolean {
  return runs.length + trajectories.length > 0
}

export function whyIncomplete(draft: DatasetDraft, areScoresValid: boolean): string | null {
  if (!hasSources(draft)) return 'Choose a run or an import first.'
  return areScoresValid ? null : 'Correct the scores first.'
}

export function misfit(kind: DatasetKindInfo, format: DatasetFormatInfo): string | null {
  if (kind.formats.includes(format.id)) return null
  return `It has no place for ${kind.id}; it holds ${format.kinds.join(', ')}.`
}

function isFilled(value: object): boolean {
  return Object.keys(value).length > 0
}
