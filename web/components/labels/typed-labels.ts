import type { EntryLabels, LabelChange } from '../../../shared/core/contracts/labels.ts'

export interface TypedLabels {
  experiment: string
  tags: string
  note: string
}

export type TypedEntry = TypedLabels & { name: string }

// A tag may contain commas: each of `known` that the text still names stays whole.
export function readTags(text: string, known: readonly string[] = []): string[] {
  if (text === writeTags(known)) return [...known]
  const whole = new Set(known.filter((tag) => tag.includes(',')).toSorted((a, b) => b.length - a.length))
  const tags = new Set<string>()
  for (let rest = text.trimStart(); rest !== ''; ) {
    const named = [...whole].find((tag) => rest.startsWith(tag) && /^\s*(?:,|$)/.test(rest.slice(tag.length)))
    const tag = named ?? rest.split(',', 1)[0] ?? ''
    whole.delete(tag)
    if (tag.trim() !== '') tags.add(tag.trim())
    rest = rest.slice(tag.length).replace(/^\s*,?\s*/, '')
  }
  return [...tags]
}

export function writeTags(tags: readonly string[]): string {
  return tags.join(', ')
}

export function toTyped({ experiment, name, note, tags }: EntryLabels): TypedEntry {
  return { name: name ?? '', experiment: experiment ?? '', tags: writeTags(tags ?? []), note: note ?? '' }
}

export function toChange(typed: TypedEntry, labels: EntryLabels): LabelChange {
  const shown = toTyped(labels)
  const before = labels.tags ?? []
  const tags = readTags(typed.tags, before)
  const added = tags.filter((tag) => !before.includes(tag))
  const removed = before.filter((tag) => !tags.includes(tag))
  const texts = (['name', 'experiment', 'note'] as const).filter((field) => typed[field] !== shown[field])
  return {
    ...Object.fromEntries(texts.map((field) => [field, typed[field].trim() || null])),
    ...(added.length > 0 && { add_tags: added }),
    ...(removed.length > 0 && { remove_tags: removed }),
  }
}
