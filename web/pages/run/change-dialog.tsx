import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import type { RunAction } from '../../../shared/core/client/play-calls.ts'
import type { ExtendRequest, ResumeRequest, Run } from '../../../shared/core/contracts/run.ts'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { api } from '../../service/api.ts'

export interface RunDialog {
  run: Run
  change: UseMutationResult<Run, Error, ChangeOfRun>
  isOpen: boolean
  onClose: () => void
}

export function ChangeDialog({
  wish,
  change,
  onClose,
  ...dialog
}: Omit<RunDialog, 'run'> & {
  title: string
  action: string
  kind?: 'primary' | 'danger'
  wish: ChangeOfRun | null
  children: ReactNode
}) {
  return (
    <FormDialog
      {...dialog}
      isComplete={wish !== null}
      change={change}
      onClose={onClose}
      onSubmit={() => wish !== null && change.mutate(wish, { onSuccess: onClose })}
    />
  )
}

interface ChangeOfRun {
  change: RunAction
  body?: ResumeRequest | ExtendRequest
}

export function useChangeRun(id: string): UseMutationResult<Run, Error, ChangeOfRun> {
  const queryClient = useQueryClient()
  // A quick second click shares the first request.
  const underWay = useRef<Promise<Run> | null>(null)
  return useMutation({
    mutationFn: ({ change, body = {} }: ChangeOfRun) => {
      underWay.current ??= api.changeRun(id, change, body).finally(() => {
        underWay.current = null
      })
      return underWay.current
    },
    onSuccess: (run) => {
      queryClient.setQueryData(['run', id], run)
      for (const queryKey of [['runs'], ['episodes', id], ['report', id]]) {
        void queryClient.invalidateQueries({ queryKey })
      }
    },
  })
}
