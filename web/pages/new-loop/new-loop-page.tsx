import { useSearchParams } from 'react-router'
import { ErrorState } from '../../components/error-state.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { readRequest } from '../../format/request-address.ts'
import { useEndpoints, useEnvironments, useLoopRecipes, useTrainers } from '../../service/catalogue.ts'
import { startOfLoop } from './loop-draft.ts'
import { LoopForm } from './loop-form.tsx'

export function NewLoopPage() {
  const [search] = useSearchParams()
  const recipes = useLoopRecipes()
  const environments = useEnvironments()
  const endpoints = useEndpoints()
  const trainers = useTrainers()
  const failed = [recipes, environments, endpoints, trainers].find(
    ({ data, error }) => error !== null && data === undefined,
  )
  const offers = recipes.data &&
    environments.data &&
    endpoints.data &&
    trainers.data && {
      recipes: recipes.data,
      environments: environments.data,
      endpoints: endpoints.data,
      trainers: trainers.data,
    }
  return (
    <>
      <PageHeader
        title="New loop"
        tab="New loop"
        way={[{ to: '/loops', name: 'Loops' }]}
        lead="Each round explores training tasks, builds rows, trains, and plays the test tasks once. The test tasks are never learned from."
      />
      {failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : offers === undefined ? (
        <LoadingState what="recipes and environments" />
      ) : (
        <LoopForm
          offers={offers}
          start={startOfLoop(readRequest(search), offers.recipes, offers.environments[0]?.id ?? '')}
        />
      )}
    </>
  )
}
