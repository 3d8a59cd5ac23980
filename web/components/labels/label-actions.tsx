import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { EntryLabels, LabelChange } from '../../../shared/core/contracts/labels.ts'
import { api } from '../../service/api.ts'
import { ActionButton } from '../action-button.tsx'
import { ButtonRow } from '../button-row.tsx'
import { type DialogChange, FormDialog } from '../form/form-dialog.tsx'
import { NameField } from '../form/name-field.tsx'
import { Refusal } from '../form/refusal.tsx'
import { LabelFields } from './label-fields.tsx'
import { type TypedEntry, toChange, toTyped } from './typed-labels.ts'

const calls = {
  run: { label: api.labelRun, remove: api.deleteRun },
  dataset: { label: api.labelDataset, remove: api.deleteDataset },
}

export function LabelActions({
  what,
  id,
  labels,
  openReason,
}: {
  what: LabelledPage
  id: string
  labels: EntryLabels
  /** The reason it cannot be deleted yet, because it is still open; null if it has ended. */
  openReason: string | null
}) {
  const [asking, setAsking] = useState<'labels' | 'deletion' | null>(null)
  const change = useChangeLabels(what, id)
  const removal = useDelete(what, id)
  const isArchived = labels.archived_at !== undefined
  const isBusy = change.isPending || removal.isPending
  return (
    <>
      <ButtonRow>
        <ActionButton
          refusal={null}
          isBusy={isBusy}
          onClick={() => {
            change.reset()
            setAsking('labels')
          }}
        >
          Name and labels …
        </ActionButton>
        <ActionButton refusal={null} isBusy={isBusy} onClick={() => change.mutate({ archived: !isArchived })}>
          {isArchived ? 'Take out of the archive' : 'Archive'}
        </ActionButton>
        <ActionButton
          refusal={openReason}
          isBusy={isBusy}
          kind="danger"
          onClick={() => {
            removal.reset()
            setAsking('deletion')
          }}
        >
          Delete …
        </ActionButton>
      </ButtonRow>
      {change.isError && asking === null && <Refusal error={change.error} />}
      <LabelDialog
        labels={labels}
        change={change}
        isOpen={asking === 'labels'}
        onClose={() => setAsking(null)}
        onSubmit={(wish) => change.mutate(wish, { onSuccess: () => setAsking(null) })}
      />
      <FormDialog
        title={`Delete this ${what}?`}
        action={`Delete the ${what}`}
        kind="danger"
        change={removal}
        isOpen={asking === 'deletion'}
        onClose={() => setAsking(null)}
        onSubmit={() => removal.mutate()}
      >
        <p>
          All that is stored of it goes, for good. Where something refers to it, it is kept, and the answer
          says what does. To hide it from lists alone, archive it.
        </p>
      </FormDialog>
    </>
  )
}

function LabelDialog({
  labels,
  change,
  isOpen,
  onClose,
  onSubmit,
}: {
  labels: EntryLabels
  change: DialogChange
  isOpen: boolean
  onClose: () => void
  onSubmit: (wish: LabelChange) => void
}) {
  const [begun, setBegun] = useState(labels)
  const [draft, setDraft] = useState(toTyped(labels))
  // Each time it opens it begins with what holds then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: while it is open, what is typed stays
  useEffect(() => {
    if (!isOpen) return
    setBegun(labels)
    setDraft(toTyped(labels))
  }, [isOpen])
  const set = (part: Partial<TypedEntry>) => setDraft((now) => ({ ...now, ...part }))
  return (
    <FormDialog
      title="Name and labels"
      action="Save"
      change={change}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => onSubmit(toChange(draft, begun))}
    >
      <NameField value={draft.name} error={undefined} onChange={(name) => set({ name })} />
      <LabelFields labels={draft} onChange={set} />
    </FormDialog>
  )
}

type LabelledPage = 'run' | 'dataset'

function useChangeLabels(what: LabelledPage, id: string) {
  const client = useQueryClient()
  return useMutation<unknown, Error, LabelChange>({
    mutationFn: async (change) => {
      const changed = await calls[what].label(id, change)
      client.setQueryData([what, id], changed)
    },
    onSuccess: () => {
      for (const queryKey of [[`${what}s`], ['experiments'], ['leaderboard']]) {
        void client.invalidateQueries({ queryKey })
      }
    },
  })
}

function useDelete(what: LabelledPage, id: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation<unknown, Error, void>({
    mutationFn: () => calls[what].remove(id),
    onSuccess: () => {
      for (const queryKey of [[`${what}s`], ['experiments'], ['leaderboard']]) {
        void client.invalidateQueries({ queryKey })
      }
      void navigate(`/${what}s`)
    },
  })
}
