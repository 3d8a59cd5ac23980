import type { GroupFolds, RolloutNeeds } from '../../shared/learn/rollouts/open-rollouts.ts'
import type { Rollouts } from '../../shared/learn/rollouts/rollouts.ts'

export function openLateRollouts(): (needs: Omit<RolloutNeeds, 'folds'>) => Rollouts {
  let folds: GroupFolds | undefined
  return (needs) => {
    const open = async () => {
      const opened = await import('../../shared/learn/rollouts/open-rollouts.ts')
      folds ??= new opened.GroupFolds()
      return opened.openRollouts({ ...needs, folds })
    }
    return {
      create: async (...given) => (await open()).create(...given),
      get: async (...given) => (await open()).get(...given),
      list: async (...given) => (await open()).list(...given),
      cancel: async (...given) => (await open()).cancel(...given),
      changePolicy: async (...given) => (await open()).changePolicy(...given),
      groups: async (...given) => (await open()).groups(...given),
      group: async (...given) => (await open()).group(...given),
      figures: async (...given) => (await open()).figures(...given),
      credit: async (...given) => (await open()).credit(...given),
    }
  }
}
