import { browserImage } from '../browser/image.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { closingAction, webarenaGuide } from '../webarena/guide.ts'
import { webarenaAnswersWithin, webarenaOptions } from '../webarena/options.ts'

/**
 * As for VisualWebArena, but pages are shown as accessibility trees, which models without image input can also read.
 */
export const sitesOptions = webarenaOptions('visualwebarena').extend({
  observation: webarenaOptions('webarena').shape.observation,
})

const id = 'sites'
let made: readonly EnvironmentTask[] | undefined

export async function openSites(given: object = {}): Promise<HostedEnvironment> {
  made ??= (await import('./tasks.ts')).listSitesTasks()
  const tasks = made
  const options = sitesOptions.parse(given)
  const guide = webarenaGuide(options)
  return {
    id,
    description: 'A shop, a forum and classifieds of our own in Chromium, with tasks as WebArena has them.',
    snapshot: 'replay',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: options.early_stop.steps,
    reward_range: [0, 1],
    closing_action: closingAction(options),
    asks: ['judge', 'captioner'],
    replays: 'matched',
    keeps_states: true,
    tasks: () => tasks,
    describe: () => guide,
    host: { kind: 'image', image: browserImage.id, answers_within: webarenaAnswersWithin },
  }
}

/**
 * Three small web sites to practise on (`containers/sites`). A host of the image `browser` serves them to its own
 * sessions, without registration or start. Tasks are scored by VisualWebArena's evaluation (Koh et al. 2024).
 */
export const sitesDefinition: EnvironmentDefinition = {
  id,
  options: sitesOptions,
  data: { origin: 'generated', about: 'sites made for Espalier, not those of WebArena or VisualWebArena' },
  image: browserImage,
  simulated: async () => (await import('./simulated/sites-policy.ts')).sitesPolicy,
  open: (_pack, options) => openSites(options),
}
