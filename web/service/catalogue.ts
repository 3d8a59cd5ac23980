import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** The catalogue changes only when the service does. */
const staleTime = 5 * 60_000

export function useMethods() {
  return useQuery({
    queryKey: ['catalogue', 'methods'],
    staleTime,
    queryFn: async () => (await api.methods()).data,
  })
}

export function useEnvironments() {
  return useQuery({
    queryKey: ['catalogue', 'environments'],
    staleTime,
    queryFn: async () => (await api.environments()).data,
  })
}

export function usePresets() {
  return useQuery({
    queryKey: ['catalogue', 'presets'],
    staleTime,
    queryFn: async () => (await api.presets()).data,
  })
}

export function useEndpoints() {
  return useQuery({
    queryKey: ['catalogue', 'models'],
    staleTime,
    queryFn: async () => (await api.models()).data,
  })
}

export function useDatasetKinds() {
  return useQuery({
    queryKey: ['catalogue', 'dataset-kinds'],
    staleTime,
    queryFn: async () => (await api.datasetKinds()).data,
  })
}

export function useDatasetFormats() {
  return useQuery({
    queryKey: ['catalogue', 'dataset-formats'],
    staleTime,
    queryFn: async () => (await api.datasetFormats()).data,
  })
}

export function useTrainingRecipes() {
  return useQuery({
    queryKey: ['catalogue', 'training-recipes'],
    staleTime,
    queryFn: async () => (await api.trainingRecipes()).data,
  })
}

export function useTrainers() {
  return useQuery({
    queryKey: ['catalogue', 'trainers'],
    staleTime,
    queryFn: async () => (await api.trainers()).data,
  })
}

export function useLoopRecipes() {
  return useQuery({
    queryKey: ['catalogue', 'loop-recipes'],
    staleTime,
    queryFn: async () => (await api.loopRecipes()).data,
  })
}
