import type { EntryLabels, LabelChange, LabelFilter } from '../../contracts/labels.ts'
import type { LedgerItem } from '../../world/ports.ts'

export type Labels = {
  name: string | null
  experiment: string | null
  tags: string[]
  note: string | null
  archived_at: string | null
}

export function toLabels({ name, experiment, tags, note, archived_at }: EntryLabels): Labels {
  return {
    name: name ?? null,
    experiment: experiment ?? null,
    tags: tags ?? [],
    note: note ?? null,
    archived_at: archived_at ?? null,
  }
}

export function storedLabels(item: { labels?: unknown }): Labels | null {
  return (item.labels as Labels | undefined) ?? null
}

/** @param now - milliseconds since 1970 */
export function applyLabels(before: Labels, change: LabelChange, now: number): Labels {
  const { add_tags = [], archived, experiment, name, note, remove_tags = [], tags = before.tags } = change
  const at = before.archived_at ?? new Date(now).toISOString()
  return {
    name: name === undefined ? before.name : name,
    experiment: experiment === undefined ? before.experiment : experiment,
    tags: [...new Set([...tags, ...add_tags])].filter((tag) => !remove_tags.includes(tag)),
    note: note === undefined ? before.note : note,
    archived_at: archived === undefined ? before.archived_at : archived ? at : null,
  }
}

export function shownLabels({ experiment, tags, note, archived_at }: Labels) {
  return {
    ...(experiment !== null && { experiment }),
    ...(tags.length > 0 && { tags }),
    ...(note !== null && { note }),
    ...(archived_at !== null && { archived_at }),
  }
}

export function withStoredLabels<Entry extends EntryLabels & { name: string | null }>(
  thing: Entry,
  item: LedgerItem,
): Entry {
  const labels = storedLabels(item)
  return labels === null ? thing : withLabels(thing, labels)
}

export function withLabels<Entry extends EntryLabels & { name: string | null }>(
  thing: Entry,
  labels: Labels,
): Entry {
  const { experiment: _, tags: __, note: ___, archived_at: ____, ...rest } = thing
  return { ...rest, name: labels.name, ...shownLabels(labels) } as Entry
}

export function passesLabels(labels: Labels, { archived = 'false', experiment, tag }: LabelFilter): boolean {
  return (
    (archived === 'any' || (labels.archived_at !== null) === (archived === 'true')) &&
    (experiment === undefined || labels.experiment === experiment) &&
    (tag === undefined || tag.every((each) => labels.tags.includes(each)))
  )
}
