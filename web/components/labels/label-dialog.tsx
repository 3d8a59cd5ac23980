import { useEffect, useState } from 'react'
import type { GivenLabels, LabelChange } from '../../../shared/core/contracts/labels.ts'
import { type DialogChange, FormDialog } from '../form/form-dialog.tsx'
import { NameField } from '../form/name-field.tsx'
import { LabelFields } from './label-fields.tsx'
import { readTags, type TypedLabels, writeTags } from './typed-labels.ts'

interface Draft extends TypedLabels {
  name: string
}

export function LabelDialog({
  labels,
  change,
  isOpen,
  onClose,
  onSubmit,
}: {
  labels: GivenLabels
  change: DialogChange
  isOpen: boolean
  onClose: () => void
  onSubmit: (wish: LabelChange) => void
}) {
  const [draft, setDraft] = useState<Draft>(toDraft(labels))
  // Each time it opens it begins with what holds then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: while it is open, what is typed stays
  useEffect(() => {
    if (isOpen) setDraft(toDraft(labels))
  }, [isOpen])
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  return (
    <FormDialog
      title="Name and labels"
      action="Save"
      change={change}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => onSubmit(toChange(draft))}
    >
      <NameField value={draft.name} error={undefined} onChange={(name) => set({ name })} />
      <LabelFields labels={draft} onChange={set} />
    </FormDialog>
  )
}

function toDraft({ experiment, name, note, tags }: GivenLabels): Draft {
  return { name: name ?? '', experiment: experiment ?? '', tags: writeTags(tags ?? []), note: note ?? '' }
}

function toChange({ experiment, name, note, tags }: Draft): LabelChange {
  return {
    name: name.trim() || null,
    experiment: experiment.trim() || null,
    tags: readTags(tags),
    note: note.trim() || null,
  }
}
