import { useQuery } from '@tanstack/react-query'
import { asksSimulated } from '../../format/asks-simulated.ts'
import { useEndpoints } from '../../service/catalogue.ts'
import { runQuery } from '../../service/run-query.ts'
import { Notice } from '../notice.tsx'

/** Says so where a run learned from the simulated model, in whatever role. */
export function SimulatedNotice({ run }: { run: string }) {
  const writer = useQuery(runQuery(run))
  const endpoints = useEndpoints().data ?? []
  if (writer.data === undefined || !asksSimulated(writer.data, endpoints)) return null
  return (
    <Notice isSpaced>Written by the simulated model: texts and numbers prove plumbing, not quality.</Notice>
  )
}
