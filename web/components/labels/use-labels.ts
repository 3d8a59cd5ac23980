import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { LabelChange } from '../../../shared/core/contracts/labels.ts'
import { api } from '../../service/api.ts'

export type LabelledPage = 'run' | 'dataset'

const calls = {
  run: { label: api.labelRun, remove: api.deleteRun },
  dataset: { label: api.labelDataset, remove: api.deleteDataset },
}

export function useChangeLabels(what: LabelledPage, id: string) {
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

export function useDelete(what: LabelledPage, id: string) {
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
