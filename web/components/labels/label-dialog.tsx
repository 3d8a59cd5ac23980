import { useEffect, useState } from 'react'
import type { GivenLabels, LabelChange } from '../../../shared/contracts/labels.ts'
import { useExperiments } from '../../service/experiments.ts'
import { Field } from '../field.tsx'
import { type DialogChange, FormDialog } from '../form/form-dialog.tsx'
import { NameField } from '../form/name-field.tsx'

interface Draft {
  name: string
  experiment: string
  tags: string
  note: string
}

/** Changes the name, experiment, tags and note of a run or a dataset. */
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
  const experiments = useExperiments().data ?? []
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
      <Field label="Experiment" hint="What belongs together has the same one; it may be new.">
        {(field) => (
          <>
            <input
              {...field}
              type="text"
              dir="auto"
              list={`${field.id}-known`}
              maxLength={100}
              autoComplete="off"
              value={draft.experiment}
              onChange={({ target }) => set({ experiment: target.value })}
            />
            <datalist id={`${field.id}-known`}>
              {experiments.map(({ id }) => (
                <option key={id} value={id} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Tags" hint="Words with commas between them.">
        {(field) => (
          <input
            {...field}
            type="text"
            dir="auto"
            autoComplete="off"
            value={draft.tags}
            onChange={({ target }) => set({ tags: target.value })}
          />
        )}
      </Field>
      <Field label="Note">
        {(field) => (
          <textarea
            {...field}
            dir="auto"
            rows={4}
            maxLength={10_000}
            value={draft.note}
            onChange={({ target }) => set({ note: target.value })}
          />
        )}
      </Field>
    </FormDialog>
  )
}

function toDraft({ experiment, name, note, tags }: GivenLabels): Draft {
  return { name: name ?? '', experiment: experiment ?? '', tags: (tags ?? []).join(', '), note: note ?? '' }
}

function toChange({ experiment, name, note, tags }: Draft): LabelChange {
  const words = tags.split(',').map((tag) => tag.trim())
  return {
    name: name.trim() || null,
    experiment: experiment.trim() || null,
    tags: [...new Set(words.filter((tag) => tag !== ''))],
    note: note.trim() || null,
  }
}
