import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import { api } from '../../service/api.ts'
import { sessionKey } from '../../service/session-key.ts'
import { useStore } from '../../service/store.ts'
import type { LabelChoice } from './label-choice.ts'
import { useChangeJudgements } from './use-label-data.ts'

export interface JudgedTarget {
  episode: string
  node: number | null
}

interface Given {
  before: EpisodeJudgement | null
  now: EpisodeJudgement
}

interface Wish {
  target: JudgedTarget
  value: number
  note: string
  before: EpisodeJudgement | null
}

export function useJudging(run: string, { name, by }: Pick<LabelChoice, 'name' | 'by'>) {
  const key = useStore(sessionKey)
  const change = useChangeJudgements(run)
  const [answered, setAnswered] = useState<{ key: string | null; name: string } | null>(null)
  const [given, setGiven] = useState<readonly Given[]>([])

  const save = useMutation<EpisodeJudgement, Error, Wish>({
    mutationFn: ({ target, value, note }) =>
      put(run, { ...target, name, value, note: note.trim() }, by === '' ? undefined : by),
    onSuccess: (now, { before }) => {
      if (now.by.kind === 'person' && by === '') setAnswered({ key, name: now.by.name })
      setGiven((earlier) => [...earlier, { before, now }])
      change(now, now)
    },
  })
  const undo = useMutation<EpisodeJudgement, Error, Given>({
    mutationFn: async ({ before, now }) => {
      const person = now.by.kind === 'person' ? now.by.name : undefined
      if (before === null) {
        const place = { ...(now.node !== null && { node: now.node }), by: person }
        await api.deleteJudgement([run, now.episode, now.name], place)
        change(now, null)
      } else {
        const { value, note } = before
        change(now, await put(run, { ...before, value: value ?? 0, note: note ?? '' }, person))
      }
      return now
    },
    onSuccess: () => setGiven((earlier) => earlier.slice(0, -1)),
  })
  const known = answered?.key === key ? answered.name : key === null ? 'operator' : null
  return {
    save,
    undo,
    last: given.at(-1) ?? null,
    /** The person's name; null if only the service knows it, until its first answer. */
    person: by === '' ? known : by,
    isBusy: save.isPending || undo.isPending,
  }
}

function put(
  run: string,
  { episode, name, node, note, value }: JudgedTarget & { name: string; value: number; note: string },
  by: string | undefined,
): Promise<EpisodeJudgement> {
  const place = { ...(node !== null && { node }), ...(by !== undefined && { by }) }
  return api.putJudgement([run, episode, name], { value, ...(note !== '' && { note }) }, place)
}
