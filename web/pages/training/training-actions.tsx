import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { ResumeTraining, Training } from '../../../shared/core/contracts/training.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { trainingRefusals } from '../../format/describe-training.ts'
import { api } from '../../service/api.ts'
import { ResumeDialog } from './resume-dialog.tsx'
import styles from './training-page.module.css'

type Change = { to: 'pause' | 'cancel' } | { to: 'resume'; body: ResumeTraining }

export function TrainingActions({ training }: { training: Training }) {
  const { id, request } = training
  const [asking, setAsking] = useState<'resume' | 'cancel' | null>(null)
  const [caps, setCaps] = useState<JsonObject>({})
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (wish: Change) => {
      if (wish.to === 'resume') return api.resumeTraining(id, wish.body)
      return wish.to === 'pause' ? api.pauseTraining(id) : api.cancelTraining(id)
    },
    onSuccess: (changed) => {
      queryClient.setQueryData(['training', id], changed)
      void queryClient.invalidateQueries({ queryKey: ['trainings'] })
      setAsking(null)
    },
  })
  const refusals = trainingRefusals(training)
  const open = (what: 'resume' | 'cancel') => {
    change.reset()
    setCaps(request.limits as JsonObject)
    setAsking(what)
  }
  const dialog = { change, onClose: () => setAsking(null) }
  const isHalted = refusals.resume === null
  return (
    <div className={styles.actions}>
      <ButtonRow>
        {isHalted ? (
          <ActionButton
            refusal={null}
            isBusy={change.isPending}
            kind="primary"
            onClick={() => open('resume')}
          >
            Resume …
          </ActionButton>
        ) : (
          <ActionButton
            refusal={refusals.pause}
            isBusy={change.isPending}
            onClick={() => change.mutate({ to: 'pause' })}
          >
            Pause
          </ActionButton>
        )}
        <ActionButton
          refusal={refusals.cancel}
          isBusy={change.isPending}
          kind="danger"
          onClick={() => open('cancel')}
        >
          Cancel …
        </ActionButton>
      </ButtonRow>
      {change.isError && asking === null && <Refusal error={change.error} />}
      <ResumeDialog
        {...dialog}
        training={training}
        caps={caps}
        onCaps={setCaps}
        isOpen={asking === 'resume'}
        onSubmit={() => change.mutate({ to: 'resume', body: { limits: caps } })}
      />
      <FormDialog
        {...dialog}
        title="Cancel this training?"
        action="Cancel the training"
        kind="danger"
        isOpen={asking === 'cancel'}
        isComplete={refusals.cancel === null}
        onSubmit={() => change.mutate({ to: 'cancel' })}
      >
        <p>
          {refusals.cancel ??
            'It ends for good: no model is registered, and its checkpoints are removed. To go on later, pause it instead.'}
        </p>
      </FormDialog>
    </div>
  )
}
