import { z } from 'zod'
import { abilityWeights } from '../ability-weights.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition, OutsideNames } from '../environment-definition.ts'
import { etoGame, gameNumber, gameNumbered } from './game-numbers.ts'
import { scienceworldGuide } from './guide.ts'
import { scienceworldImage } from './image.ts'
import { createScienceworldTasks } from './tasks.ts'

let made: readonly EnvironmentTask[] | undefined
function tasks(): readonly EnvironmentTask[] {
  made ??= createScienceworldTasks()
  return made
}

export const scienceworldOptions = z.strictObject({
  scoring: z
    .enum(['final', 'best'])
    .default('final')
    .describe(
      'Reward of an episode: the score at its end, which is 0 if a step failed the task permanently; or the best score on the way, regardless of later steps (ETO).',
    ),
  actions: z
    .enum(['exact', 'nearest'])
    .default('exact')
    .describe(
      'Handling of an action that the simulator does not list: try it unchanged, or use the listed action that shares most words with it, among equals the shortest (Agent-R).',
    ),
})

export interface ScienceworldVariant {
  facts: HostedEnvironment
  simplifications: string
}

/**
 * ScienceWorld (Wang et al. 2022), played by the real simulator on hosts of the image `scienceworld`. A task's score
 * is 0 to 100. The reward is the best score so far divided by 100. It is −1 if a step made the task fail for good,
 * which is a score of −100 there. With the option `scoring: best`, such a step leaves the best score (ETO). The
 * simplifications belong to the environment, so every run records them.
 * @param simplifications the simulator's names, separated by commas; empty: none
 */
export function createScienceworld(id: string, simplifications: string): ScienceworldVariant {
  const guide = scienceworldGuide(/\b(easy|teleportAction)\b/.test(simplifications))
  const how = simplifications === '' ? 'as it is' : `with the simplifications ${simplifications}`
  return {
    facts: {
      id,
      description: `Do experiments of a primary school in a text world, ${how} (ScienceWorld).`,
      snapshot: 'replay',
      deterministic: true,
      success_threshold: 1,
      default_max_steps: 30,
      tasks,
      describe: () => guide,
      // A session is a Java machine of its own, which costs more than the actions that it saves.
      sessions_per_episode: 1,
      host: { kind: 'image', image: scienceworldImage.id },
    },
    simplifications,
  }
}

/**
 * The image's environments: the simulator's preset `easy`, as ETO and AgentBoard play it, and the world without
 * simplifications.
 */
export const variants: readonly ScienceworldVariant[] = [
  createScienceworld('scienceworld', 'easy'),
  createScienceworld('scienceworld-plain', ''),
]

const outsideNames: OutsideNames = {
  name: 'sciworld',
  isFamily: true,
  largestReward: 100,
  etoHead: 16,
  // AgentGym's number, or ETO's pair.
  taskNamed(id) {
    const [, plain = id] = /^(?:sciworld|scienceworld)_(\d+)$/.exec(id) ?? []
    return (/^\d+$/.test(plain) ? gameNumbered(Number(plain)) : etoGame(plain)) ?? plain
  },
  numberOf: gameNumber,
}

export const scienceworldDefinitions: readonly EnvironmentDefinition[] = variants.map(
  ({ facts, simplifications }) => ({
    id: facts.id,
    ...(simplifications === 'easy' && { abilities: abilityWeights(2, 2, 3, 2, 3, 2) }),
    options: scienceworldOptions,
    data: { origin: 'original', about: 'the tasks and variations of ScienceWorld, in its own simulator' },
    taskFile: {
      entries: 'ETO\'s pairs of a task and a variation, or items such as {"item_id": "sciworld_536"}',
      async read(entries) {
        if (entries.every((entry) => typeof entry === 'string' && !entry.startsWith('sciworld_'))) return null
        const { readAgentgymTasks, readEtoTasks } = await import('./read-eto-task-file.ts')
        return readAgentgymTasks(entries) ?? readEtoTasks(entries)
      },
    },
    ...(simplifications === 'easy' && { outside: outsideNames }),
    image: scienceworldImage,
    simulated: async () => (await import('./simulated/scienceworld-policy.ts')).scienceworldPolicy,
    open: async () => facts,
  }),
)
