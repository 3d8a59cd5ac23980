import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** What can be asked for changes with the service alone. */
const staleTime = 5 * 60_000

/** Every method, with its parameters. */
export function useMethods() {
  return useQuery({
    queryKey: ['catalogue', 'methods'],
    staleTime,
    queryFn: async () => (await api.methods()).data,
  })
}

/** Every environment, with its splits and types of task. */
export function useEnvironments() {
  return useQuery({
    queryKey: ['catalogue', 'environments'],
    staleTime,
    queryFn: async () => (await api.environments()).data,
  })
}

/** Every preset: papers' settings, their sources, and what remains different. */
export function usePresets() {
  return useQuery({
    queryKey: ['catalogue', 'presets'],
    staleTime,
    queryFn: async () => (await api.presets()).data,
  })
}

/** Every endpoint that models answer at. */
export function useEndpoints() {
  return useQuery({
    queryKey: ['catalogue', 'models'],
    staleTime,
    queryFn: async () => (await api.models()).data,
  })
}

/** What rows of a dataset can teach, with the parameters of each kind. */
export function useDatasetKinds() {
  return useQuery({
    queryKey: ['catalogue', 'dataset-kinds'],
    staleTime,
    queryFn: async () => (await api.datasetKinds()).data,
  })
}

/** The trainers' formats. */
export function useDatasetFormats() {
  return useQuery({
    queryKey: ['catalogue', 'dataset-formats'],
    staleTime,
    queryFn: async () => (await api.datasetFormats()).data,
  })
}

/** How models can be trained, with the hyperparameters of each recipe. */
export function useTrainingRecipes() {
  return useQuery({
    queryKey: ['catalogue', 'training-recipes'],
    staleTime,
    queryFn: async () => (await api.trainingRecipes()).data,
  })
}

/** What trains models for this service. */
export function useTrainers() {
  return useQuery({
    queryKey: ['catalogue', 'trainers'],
    staleTime,
    queryFn: async () => (await api.trainers()).data,
  })
}

/** How models are improved in rounds, every setting with its source. */
export function useLoopRecipes() {
  return useQuery({
    queryKey: ['catalogue', 'loop-recipes'],
    staleTime,
    queryFn: async () => (await api.loopRecipes()).data,
  })
}
