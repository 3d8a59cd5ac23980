import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import type { RunRequestInput } from '../shared/core/contracts/run.ts'
import type { CanaryOptions } from './options.ts'

const mostTasks = 100

export interface CanaryPlan {
  name: 'simulated' | 'hosted'
  stage: RunRequestInput
  /** The same without hosts: a tree does not depend on its environment's location. */
  local: RunRequestInput
}

export function planCanary(options: CanaryOptions): CanaryPlan[] {
  const plan = (name: CanaryPlan['name'], episodes: number): CanaryPlan => {
    const request: RunRequestInput = {
      name: `canary ${options.id} ${name}`,
      environment: exampleEnvironment,
      ...divided(episodes),
      method: { id: 'react', max_steps: 12 },
      model: { endpoint: options.endpoint, id: 'simulated' },
      max_parallel: options.parallel,
      seed: options.seed,
    }
    return {
      name,
      stage: name === 'hosted' ? { ...request, hosting: 'host' } : request,
      local: { ...request, hosting: 'worker' },
    }
  }
  const plans = [plan('simulated', options.episodes)]
  return options.hosted > 0 ? [...plans, plan('hosted', options.hosted)] : plans
}

function divided(episodes: number): Pick<RunRequestInput, 'tasks' | 'epochs'> {
  let tasks = Math.min(mostTasks, episodes)
  while (episodes % tasks !== 0) tasks -= 1
  return { tasks: { split: 'test', limit: tasks }, epochs: episodes / tasks }
}
