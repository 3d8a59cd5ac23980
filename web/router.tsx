import { createBrowserRouter, Navigate } from 'react-router'
import { LinkButton } from './components/button.tsx'
import { LoadingState } from './components/loading-state.tsx'
import { PageHeader } from './components/page-header.tsx'
import { EmbedShell } from './shell/embed-shell.tsx'
import { PageError } from './shell/page-error.tsx'
import { Shell } from './shell/shell.tsx'

export const router = createBrowserRouter([
  {
    path: 'embed',
    element: <EmbedShell />,
    errorElement: <PageError />,
    hydrateFallbackElement: <LoadingState what="the page" />,
    children: [
      {
        path: 'runs/:run',
        lazy: async () => ({ Component: (await import('./pages/embed/embedded-run.tsx')).EmbeddedRun }),
      },
      {
        path: 'runs/:run/episodes/:episode',
        lazy: async () => ({
          Component: (await import('./pages/embed/embedded-episode.tsx')).EmbeddedEpisode,
        }),
      },
      {
        path: 'compare',
        lazy: async () => ({
          Component: (await import('./pages/embed/embedded-comparison.tsx')).EmbeddedComparison,
        }),
      },
    ],
  },
  {
    element: <Shell />,
    errorElement: <PageError />,
    hydrateFallbackElement: <LoadingState what="the page" />,
    children: [
      { index: true, element: <Navigate to="/runs" replace /> },
      {
        path: 'runs',
        lazy: async () => ({ Component: (await import('./pages/runs/runs-page.tsx')).RunsPage }),
      },
      {
        path: 'runs/new',
        lazy: async () => ({ Component: (await import('./pages/new-run/new-run-page.tsx')).NewRunPage }),
      },
      {
        path: 'runs/:run',
        lazy: async () => ({ Component: (await import('./pages/run/run-page.tsx')).RunPage }),
      },
      {
        path: 'runs/:run/label',
        lazy: async () => ({ Component: (await import('./pages/label/label-page.tsx')).LabelPage }),
      },
      {
        path: 'runs/:run/episodes/:episode',
        lazy: async () => ({ Component: (await import('./pages/episode/episode-page.tsx')).EpisodePage }),
      },
      {
        path: 'compare',
        lazy: async () => ({ Component: (await import('./pages/compare/compare-page.tsx')).ComparePage }),
      },
      {
        path: 'compare/episodes',
        lazy: async () => ({
          Component: (await import('./pages/compare-episodes/compare-episodes-page.tsx')).CompareEpisodesPage,
        }),
      },
      {
        path: 'graph',
        lazy: async () => ({ Component: (await import('./pages/graph/graph-page.tsx')).GraphPage }),
      },
      {
        path: 'leaderboard',
        lazy: async () => ({
          Component: (await import('./pages/leaderboard/leaderboard-page.tsx')).LeaderboardPage,
        }),
      },
      {
        path: 'search',
        lazy: async () => ({ Component: (await import('./pages/search/search-page.tsx')).SearchPage }),
      },
      {
        path: 'datasets',
        lazy: async () => ({ Component: (await import('./pages/datasets/datasets-page.tsx')).DatasetsPage }),
      },
      {
        path: 'datasets/new',
        lazy: async () => ({
          Component: (await import('./pages/new-dataset/new-dataset-page.tsx')).NewDatasetPage,
        }),
      },
      {
        path: 'datasets/:dataset',
        lazy: async () => ({ Component: (await import('./pages/dataset/dataset-page.tsx')).DatasetPage }),
      },
      {
        path: 'trainings',
        lazy: async () => ({
          Component: (await import('./pages/trainings/trainings-page.tsx')).TrainingsPage,
        }),
      },
      {
        path: 'trainings/new',
        lazy: async () => ({
          Component: (await import('./pages/new-training/new-training-page.tsx')).NewTrainingPage,
        }),
      },
      {
        path: 'trainings/:training',
        lazy: async () => ({ Component: (await import('./pages/training/training-page.tsx')).TrainingPage }),
      },
      {
        path: 'models',
        lazy: async () => ({ Component: (await import('./pages/models/models-page.tsx')).ModelsPage }),
      },
      {
        path: 'models/:model',
        lazy: async () => ({ Component: (await import('./pages/model/model-page.tsx')).ModelPage }),
      },
      {
        path: 'environments',
        lazy: async () => ({
          Component: (await import('./pages/environments/environments-page.tsx')).EnvironmentsPage,
        }),
      },
      {
        path: 'environments/:environment/try',
        lazy: async () => ({ Component: (await import('./pages/try/try-page.tsx')).TryPage }),
      },
      {
        path: 'workers',
        lazy: async () => ({ Component: (await import('./pages/workers/workers-page.tsx')).WorkersPage }),
      },
      {
        path: 'endpoints',
        lazy: async () => ({
          Component: (await import('./pages/endpoints/endpoints-page.tsx')).EndpointsPage,
        }),
      },
      {
        path: 'new-endpoint',
        lazy: async () => ({
          Component: (await import('./pages/endpoint/new-endpoint-page.tsx')).NewEndpointPage,
        }),
      },
      {
        path: 'endpoints/:endpoint',
        lazy: async () => ({ Component: (await import('./pages/endpoint/endpoint-page.tsx')).EndpointPage }),
      },
      {
        path: 'loops',
        lazy: async () => ({ Component: (await import('./pages/loops/loops-page.tsx')).LoopsPage }),
      },
      {
        path: 'loops/new',
        lazy: async () => ({ Component: (await import('./pages/new-loop/new-loop-page.tsx')).NewLoopPage }),
      },
      {
        path: 'loops/:loop',
        lazy: async () => ({ Component: (await import('./pages/loop/loop-page.tsx')).LoopPage }),
      },
      {
        path: 'rollouts',
        lazy: async () => ({ Component: (await import('./pages/rollouts/rollouts-page.tsx')).RolloutsPage }),
      },
      {
        path: 'rollouts/:rollout',
        lazy: async () => ({ Component: (await import('./pages/rollout/rollout-page.tsx')).RolloutPage }),
      },
      {
        path: 'libraries',
        lazy: async () => ({
          Component: (await import('./pages/libraries/libraries-page.tsx')).LibrariesPage,
        }),
      },
      {
        path: 'libraries/:library',
        lazy: async () => ({ Component: (await import('./pages/libraries/library-page.tsx')).LibraryPage }),
      },
      {
        path: 'memories',
        lazy: async () => ({ Component: (await import('./pages/memories/memories-page.tsx')).MemoriesPage }),
      },
      {
        path: 'memories/:memory',
        lazy: async () => ({ Component: (await import('./pages/memories/memory-page.tsx')).MemoryPage }),
      },
      {
        path: 'guide/:page?',
        lazy: async () => ({ Component: (await import('./pages/guide/guide-page.tsx')).GuidePage }),
      },
      { path: '*', element: <MissingPage /> },
    ],
  },
])

function MissingPage() {
  return (
    <PageHeader
      title="There is no such page"
      tab="No such page"
      lead="There is nothing at this address. It may have been mistyped, or be from another version."
      actions={<LinkButton to="/runs">To the runs</LinkButton>}
    />
  )
}
