import type { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { definitions } from '../environments.ts'
import {
  type BrowsergymList,
  browsergymModule,
  browsergymPackages,
  listBrowsergymTasks,
} from './list-tasks.ts'
import {
  type BrowsergymRegistration,
  browsergymOptions,
  browsergymSettingsFile,
  type browsergymSettingsSchema,
} from './registration.ts'

/** The data pack of the built-in environment of the benchmark's name. All seeds of a task need the same files. */
function packOf(benchmark: string): Pick<EnvironmentDefinition, 'pack' | 'packsOf'> {
  const { id, pack } = definitions.find(({ id }) => id === benchmark) ?? {}
  if (id === undefined || pack?.filesOf === undefined) return {}
  const filesOf = (task: string) => {
    const [, of, name] = /^([^.]+)\.([^/]+)\/\d+$/.exec(task) ?? []
    return of === id ? (pack.filesOf?.(`${name}/0`) ?? []) : []
  }
  return { pack: { ...pack, filesOf }, packsOf: id }
}

/**
 * A benchmark of BrowserGym (Le Sellier De Chezelles et al. 2024), played by its own Python on hosts of the image
 * `browsergym`. A task's name is the gym's, and its number is the seed. Another seed of a run creates other problems.
 * @param place the id and folder of `environments.json`, and the variables that name Python
 */
export function browsergymDefinition(
  place: { id: string; folder: string; variables: NodeJS.ProcessEnv },
  registration: BrowsergymRegistration,
): EnvironmentDefinition {
  const { id } = place
  return {
    id,
    options: browsergymOptions,
    data: { origin: 'original', about: `the tasks of BrowserGym's ${registration.benchmark}` },
    ...packOf(registration.benchmark),
    packages: async (variables) => [browsergymPackages(registration, place.folder, variables)],
    async open(_pack, given) {
      const { action_subsets } = browsergymOptions.parse(given ?? {})
      const listed = await listBrowsergymTasks(place, registration, action_subsets)
      return describe(id, registration, listed)
    },
  }
}

function describe(
  id: string,
  registration: BrowsergymRegistration,
  listed: BrowsergymList,
): HostedEnvironment {
  const { benchmark, description, rules, success_threshold, default_max_steps } = registration
  const tasks = tasksOf(id, registration, listed)
  const opening =
    rules ?? 'You use a web browser, and do what the goal says. Each of your actions is one call.'
  const guide = { rules: `${opening}\n\n${listed.actions}`, example: null }
  const isDeterministic = !tasks.some(({ type }) => listed.nondeterministic.includes(type))
  const settings = JSON.stringify(settingsOf(registration, listed.python))
  return {
    id,
    description: description ?? `Tasks of ${benchmark} in BrowserGym ${listed.version}, in Chromium.`,
    snapshot: 'replay',
    deterministic: registration.deterministic ?? isDeterministic,
    success_threshold,
    default_max_steps,
    tasks: () => tasks,
    describe: () => guide,
    host: {
      kind: 'image',
      image: 'browsergym',
      environment: 'browsergym',
      files: async () => ({ [browsergymSettingsFile]: settings }),
    },
  }
}

function tasksOf(
  id: string,
  { tasks }: BrowsergymRegistration,
  { names: all }: BrowsergymList,
): EnvironmentTask[] {
  const known = new Set(all)
  const made = Object.entries(tasks).flatMap(
    ([
      split,
      {
        names = all,
        seeds: [first, end],
      },
    ]) => {
      const unknown = names.find((name) => !known.has(name))
      if (unknown !== undefined) {
        throw wrong(id, `${split}.names`, `The gym has no task "${unknown}" of this benchmark.`)
      }
      return names.flatMap((name) =>
        Array.from({ length: Math.max(0, end - first) }, (_, at): EnvironmentTask => {
          const description = `${name}, seed ${first + at}`
          return { id: `${name}/${first + at}`, split, type: name, description }
        }),
      )
    },
  )
  const seen = new Set<string>()
  for (const task of made) {
    if (seen.has(task.id)) throw wrong(id, task.split, `The task ${task.id} is listed twice.`)
    seen.add(task.id)
  }
  return made
}

function settingsOf(
  registration: BrowsergymRegistration,
  python: string,
): z.infer<typeof browsergymSettingsSchema> {
  const { benchmark, sites, slow_mo, pre_observation_delay } = registration
  return {
    python,
    module: browsergymModule(registration),
    benchmark,
    arguments: registration.arguments,
    sites: sites ?? (packOf(benchmark).pack ? [] : null),
    ...(slow_mo !== undefined && { slow_mo }),
    ...(pre_observation_delay !== undefined && { pre_observation_delay }),
  }
}

function wrong(id: string, field: string, message: string): EspalierError {
  const param = `environments.${id}.tasks.${field}`
  return new EspalierError('invalid_request', `${param}: ${message}`, { param })
}
