import { z } from 'zod'
import { browserImage } from '../browser/image.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { miniwobGuide } from './guide.ts'
import { miniwobPackFormat } from './pack-format.ts'
import { createMiniwobTasks } from './tasks.ts'

export const miniwobOptions = z.strictObject({
  observation: z
    .enum(['accessibility_tree', 'html', 'image_som'])
    .default('accessibility_tree')
    .describe(
      'Text observation of a page: its accessibility tree, its HTML, or a list of its marks with a marked screenshot (VisualWebArena).',
    ),
  screenshots: z
    .boolean()
    .default(false)
    .describe('True to attach a screenshot to each observation; image_som always attaches one.'),
})

let made: readonly EnvironmentTask[] | undefined
function tasks(): readonly EnvironmentTask[] {
  made ??= createMiniwobTasks()
  return made
}

/**
 * MiniWoB++ (Liu et al. 2018): small web pages with one objective each, in a real browser on hosts of the image
 * `browser`. The reward comes from the page's own JavaScript, without the time discount (`WOB_RAW_REWARD_GLOBAL`). A
 * negative one becomes 0.
 */
export const miniwob: HostedEnvironment = {
  id: 'miniwob',
  description: 'Small web pages with one objective each, in Chromium (MiniWoB++).',
  snapshot: 'replay',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 10,
  reward_range: [0, 1],
  tasks,
  describe: () => miniwobGuide,
  host: { kind: 'image', image: browserImage.id },
}

export const miniwobDefinition: EnvironmentDefinition = {
  id: miniwob.id,
  options: miniwobOptions,
  data: { origin: 'original', about: 'the pages of MiniWoB++' },
  pack: miniwobPackFormat,
  image: browserImage,
  simulated: async () => (await import('./simulated/miniwob-policy.ts')).miniwobPolicy,
  open: async () => miniwob,
}
