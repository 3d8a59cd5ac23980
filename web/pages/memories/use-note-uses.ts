import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Memory } from '../../../shared/contracts/memory.ts'
import { api } from '../../service/api.ts'

/** Where the notes of a memory were shown. Up to 500 journals are read for it, so it is asked for rarely. */
export function useNoteUses({ complete, id }: Memory, run: string | null) {
  return useQuery({
    queryKey: ['memory', id, 'uses', run],
    queryFn: () => api.noteUses(id, run === null ? {} : { run }),
    staleTime: complete ? 60_000 : 10_000,
    refetchInterval: complete ? false : 15_000,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  })
}
