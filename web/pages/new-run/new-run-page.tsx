import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { readRequest } from '../../format/request-address.ts'
import { useEndpoints, useEnvironments, useMethods, usePresets } from '../../service/catalogue.ts'
import { runQuery } from '../../service/run-query.ts'
import { firstDraft, toDraft } from './run-draft.ts'
import { RunForm } from './run-form.tsx'

export function NewRunPage() {
  const [address] = useSearchParams()
  const from = address.get('from')
  const written = readRequest(address)
  const methods = useMethods()
  const environments = useEnvironments()
  const endpoints = useEndpoints()
  const presets = usePresets()
  const run = useQuery({
    ...runQuery(from ?? ''),
    enabled: from !== null && written === null,
    refetchOnWindowFocus: false,
  })
  const failed = [methods, environments, endpoints, presets, run].find(
    (query) => query.error !== null && query.data === undefined,
  )
  const offers = methods.data &&
    environments.data &&
    endpoints.data && { methods: methods.data, environments: environments.data, endpoints: endpoints.data }
  const isBegun = from === null || written !== null || run.data !== undefined

  const begun = written ?? run.data?.request
  return (
    <>
      <PageHeader
        title="New run"
        tab="New run"
        way={[{ to: '/runs', name: 'Runs' }]}
        lead={from === null ? null : <>Begun with the request of {from}.</>}
      />
      {failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : offers !== undefined && presets.data !== undefined && isBegun ? (
        <RunForm
          key={from ?? ''}
          offers={offers}
          presets={presets.data}
          start={
            begun === undefined
              ? firstDraft(offers)
              : toDraft(begun as JsonObject, offers.methods, offers.environments)
          }
        />
      ) : (
        <LoadingState what="what can be run" />
      )}
    </>
  )
}
