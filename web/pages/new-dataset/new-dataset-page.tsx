import { useSearchParams } from 'react-router'
import { ErrorState } from '../../components/error-state.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useDatasetFormats, useDatasetKinds, useEndpoints } from '../../service/catalogue.ts'
import { readDraft, withFormat } from './dataset-draft.ts'
import { DatasetForm } from './dataset-form.tsx'

export function NewDatasetPage() {
  const [search] = useSearchParams()
  const kinds = useDatasetKinds()
  const formats = useDatasetFormats()
  const endpoints = useEndpoints()
  const failed = [kinds, formats, endpoints].find(({ data, error }) => error !== null && data === undefined)
  const offers = kinds.data &&
    formats.data &&
    endpoints.data && { kinds: kinds.data, formats: formats.data, endpoints: endpoints.data }
  return (
    <>
      <PageHeader
        title="New dataset"
        tab="New dataset"
        way={[{ to: '/datasets', name: 'Datasets' }]}
        lead="Choose what rows are made from and what they teach. The first of them are shown beside the form as their trainer will take them."
      />
      {failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : offers === undefined ? (
        <LoadingState what="kinds and formats" />
      ) : (
        <DatasetForm offers={offers} start={withFormat(readDraft(search), offers.kinds)} />
      )}
    </>
  )
}
