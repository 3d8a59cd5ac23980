import { useSearchParams } from 'react-router'
import { ErrorState } from '../../components/error-state.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { readRequest } from '../../format/request-address.ts'
import { useTrainers, useTrainingRecipes } from '../../service/catalogue.ts'
import { startOfTraining } from './training-draft.ts'
import { TrainingForm } from './training-form.tsx'

export function NewTrainingPage() {
  const [search] = useSearchParams()
  const recipes = useTrainingRecipes()
  const trainers = useTrainers()
  const failed = [recipes, trainers].find(({ data, error }) => error !== null && data === undefined)
  const datasets = (search.get('datasets') ?? '').split(',').filter((id) => id !== '')
  return (
    <>
      <PageHeader
        title="New training"
        tab="New training"
        way={[{ to: '/trainings', name: 'Trainings' }]}
        lead="Choose what is trained, on what, and how. Datasets with tasks that are held out for evaluation are refused."
      />
      {failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : recipes.data === undefined || trainers.data === undefined ? (
        <LoadingState what="recipes and trainers" />
      ) : (
        <TrainingForm
          offers={{ recipes: recipes.data, trainers: trainers.data }}
          start={startOfTraining(readRequest(search), datasets, recipes.data)}
        />
      )}
    </>
  )
}
