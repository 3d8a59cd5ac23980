import { useQueries } from '@tanstack/react-query'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { lineageOf } from '../../components/lineage/lineage-of.ts'
import { LineageSection } from '../../components/lineage/lineage-section.tsx'
import { nameBase } from '../../format/name-base.ts'
import { api } from '../../service/api.ts'

export function TrainingLineage({ training: { id, model, name, request } }: { training: Training }) {
  const datasets = [...new Set(request.datasets.map(({ dataset }) => dataset))]
  const found = useQueries({
    queries: datasets.map((dataset) => ({
      queryKey: ['dataset', dataset],
      queryFn: () => api.dataset(dataset),
      staleTime: 60_000,
    })),
  })
  const sources = found.flatMap(({ data }) =>
    data === undefined ? [] : [[data.id, [...data.request.runs, ...data.request.experts]] as const],
  )
  const base = nameBase(request.base)
  const lineage = lineageOf([
    {
      model: model === null ? null : { id: model, name: name ?? 'model' },
      training: id,
      start: { id: base, name: 'registered' in request.base ? 'base' : 'base from outside' },
      datasets,
      runs: Object.fromEntries(sources),
    },
  ])
  return <LineageSection lineage={lineage} />
}
