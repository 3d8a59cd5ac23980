import { EspalierError } from '../../core/contracts/errors.ts'
import { abilityWeights } from '../ability-weights.ts'
import type { DataPack } from '../data-pack.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { closingAction, webarenaGuide } from './guide.ts'
import { type WebarenaOptions, webarenaAnswersWithin, webarenaOptions } from './options.ts'
import { packedTaskSchema, taskIndex, taskIndexSchema, taskPath, webarenaPackFormat } from './pack-format.ts'
import { resolveSites, type SecretPlaces, sessionSitesFile } from './session-files.ts'
import { sitesNamedIn } from './site-names.ts'

// Seconds to open a task's pages once its sites are reset.
const opensWithin = 80

/**
 * WebArena (Zhou et al. 2024) or VisualWebArena (Koh et al. 2024) over an administrator's sites. Tasks come from a
 * data pack, run in a real browser on hosts of the image `browser`, and are scored by the benchmark's own evaluation
 * when they end.
 * @param places the entry of `environments.json`, and the source of its secrets
 */
export function webarenaDefinition(places: SecretPlaces): EnvironmentDefinition {
  const { id, registration } = places
  const options = webarenaOptions(registration.kind)
  return {
    id,
    options,
    data: { origin: 'original', about: `the tasks of ${registration.kind}` },
    pack: webarenaPackFormat,
    ...(registration.kind === 'webarena' && { abilities: abilityWeights(3, 3, 3, 2, 3, 2) }),
    async open(pack, given) {
      if (pack !== null) return openWebarena(places, pack, options.parse(given ?? {}))
      throw new EspalierError(
        'invalid_request',
        `${id} has no tasks here, and none come along. Add them once: espalier data add ${id} FOLDER. It needs ${webarenaPackFormat.description}.`,
        { param: 'data' },
      )
    },
  }
}

async function openWebarena(
  places: SecretPlaces,
  pack: DataPack,
  options: WebarenaOptions,
): Promise<HostedEnvironment> {
  const { id, registration } = places
  const index = taskIndexSchema.parse(JSON.parse(await readText(pack, taskIndex)))
  const tasks = index.map(
    ({ id: task, type, description, asks }): EnvironmentTask => ({
      id: task,
      split: 'test',
      type,
      description,
      ...(asks.length > 0 && { asks }),
    }),
  )
  const guide = webarenaGuide(options)
  const leased = Object.entries(registration.sites).flatMap(([name, { address, sharing }]) =>
    sharing.kind === 'leased' ? [{ name, address, timeout: sharing.reset.timeout }] : [],
  )
  const resets = leased.map(({ name, timeout }) => `${name} (timeout ${timeout})`).join(', ')

  return {
    id,
    description: 'Tasks on web sites in Chromium, scored as their benchmark does.',
    snapshot: 'replay',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: options.early_stop.steps,
    reward_range: [0, 1],
    closing_action: closingAction(options),
    asks: ['judge', 'captioner'],
    tasks: () => tasks,
    describe: () => guide,
    ...(registration.replay === 'matched' && { replays: 'matched' }),
    keeps_states: Object.values(registration.sites).some(
      ({ sharing }) => sharing.kind === 'sessions' && sharing.state !== undefined,
    ),
    host: {
      kind: 'image',
      image: 'browser',
      environment: registration.kind,
      answers_within: Math.max(webarenaAnswersWithin, ...leased.map(({ timeout }) => timeout + opensWithin)),
      ...(leased.length > 0 && {
        slow_start: `A start first resets those of these sites that its task uses: ${resets}. Have the resets end sooner, or set "when": "asked" in environments.json; on AWS, Lambda functions wait at most 280 seconds for a start.`,
      }),
      async files(task) {
        const text = await readText(pack, taskPath(task))
        const { storage_state, verified } = packedTaskSchema.parse(JSON.parse(text)).task
        // A task of WebArena-Verified names no log-in: its sites may log in by themselves.
        const isOwn = verified === null || Object.keys(registration.storage_states).length > 0
        const sites = await resolveSites(places, isOwn ? storage_state : null)
        return { [sessionSitesFile]: JSON.stringify(sites) }
      },
      async alone(task) {
        const text = await readText(pack, taskPath(task))
        const { sites } = packedTaskSchema.parse(JSON.parse(text)).task
        const used = new Set<string>([...sites, ...sitesNamedIn(text)])
        return leased.filter(({ name }) => used.has(name)).map(({ address }) => address)
      },
    },
  }
}

async function readText(pack: DataPack, path: string): Promise<string> {
  return new TextDecoder().decode(await pack.read(path))
}
