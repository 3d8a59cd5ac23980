import { useState } from 'react'
import type { GivenLabels } from '../../../shared/core/contracts/labels.ts'
import { ActionButton } from '../action-button.tsx'
import { ButtonRow } from '../button-row.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import { Refusal } from '../form/refusal.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { type LabelledPage, useChangeLabels, useDelete } from './use-labels.ts'

export function LabelActions({
  what,
  id,
  labels,
  openReason,
}: {
  what: LabelledPage
  id: string
  labels: GivenLabels
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
