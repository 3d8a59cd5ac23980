import { alfworldDefinition } from '../alfworld/definition.ts'
import type { HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { textworldImage } from './image.ts'

/**
 * ALFWorld on TextWorld, its original engine, on hosts of the image `alfworld-textworld`. Same tasks, games and texts
 * as `alfworld`, as a reference for it. It is slower by orders of magnitude, and measures no progress except success.
 */
export const alfworldTextworldDefinition: EnvironmentDefinition = {
  id: 'alfworld-textworld',
  ...(alfworldDefinition.data && { data: alfworldDefinition.data }),
  packsOf: alfworldDefinition.id,
  ...(alfworldDefinition.pack && { pack: alfworldDefinition.pack }),
  ...(alfworldDefinition.abilities && { abilities: alfworldDefinition.abilities }),
  image: textworldImage,
  async open(pack): Promise<HostedEnvironment> {
    const { success_threshold, default_max_steps, tasks, describe } = await alfworldDefinition.open(pack)
    return {
      id: 'alfworld-textworld',
      description: 'Household tasks in a text world, on the original program (ALFWorld on TextWorld).',
      snapshot: 'replay',
      deterministic: true,
      success_threshold,
      default_max_steps,
      tasks,
      describe,
      sessions_per_episode: 1,
      host: { kind: 'image', image: textworldImage.id },
    }
  },
}
