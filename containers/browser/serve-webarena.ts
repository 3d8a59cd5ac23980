import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Benchmark } from '../../shared/environments/browser/evaluation/compare-answer.ts'
import type { HostedEnvironment } from '../../shared/environments/environment.ts'
import { parseEnvironmentOptions } from '../../shared/environments/environment-options.ts'
import { webarenaGuide } from '../../shared/environments/webarena/guide.ts'
import { webarenaOptions } from '../../shared/environments/webarena/options.ts'
import { packedTaskSchema, taskPath } from '../../shared/environments/webarena/pack-format.ts'
import { sessionSitesFile, sessionSitesSchema } from '../../shared/environments/webarena/session-files.ts'
import {
  fillAddresses,
  type SiteAddressBook,
  sitesNamedIn,
} from '../../shared/environments/webarena/site-names.ts'
import type { HostLog } from '../env-host/host-log.ts'
import type { BackendRequest, ServedEnvironment } from '../env-host/session-backend.ts'
import { BrowserKeeper } from './browser-keeper.ts'
import { KeptPages } from './kept-pages.ts'
import { launchBrowser } from './launch-browser.ts'
import { WebarenaBackend, type WebarenaProblem } from './webarena-backend.ts'

/**
 * Serves WebArena or VisualWebArena: task, sites and log-in come with the request for a session. Sessions of the same
 * sites share a browser, which reaches nothing else.
 */
export function serveWebarena(
  benchmark: Benchmark,
  log: HostLog,
  pages = new KeptPages(),
): ServedEnvironment {
  const keepers = new Map<string, BrowserKeeper>()
  const definition = { id: benchmark, options: webarenaOptions(benchmark) }

  function keeperOf(hosts: readonly string[]): BrowserKeeper {
    const sites = [...new Set(hosts)].toSorted()
    const key = sites.join(' ')
    const keeper = keepers.get(key) ?? new BrowserKeeper(() => launchBrowser(sites, log))
    keepers.set(key, keeper)
    return keeper
  }

  return {
    id: benchmark,
    facts: async () => factsOf(benchmark),
    async open(request) {
      const options = definition.options.parse(parseEnvironmentOptions(definition, request.options))
      const problem = readProblem(benchmark, request)
      const hosts = Object.values(problem.access.sites).flatMap((site) => site?.hosts ?? [])
      return new WebarenaBackend(keeperOf(hosts), pages, { ...problem, options })
    },
    async stop() {
      await Promise.all([...keepers.values()].map((keeper) => keeper.stop()))
    },
  }
}

function factsOf(benchmark: Benchmark): HostedEnvironment {
  const options = webarenaOptions(benchmark).parse({})
  const guide = webarenaGuide(options)
  return {
    id: benchmark,
    description: 'Tasks on web sites in Chromium, scored as their benchmark does.',
    snapshot: 'replay',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: options.early_stop.steps,
    reward_range: [0, 1],
    tasks: () => [],
    describe: () => guide,
    host: { kind: 'image', image: 'browser' },
  }
}

/** @throws EspalierError for missing or invalid files, and for sites without an address */
function readProblem(
  benchmark: Benchmark,
  { task: id, files = {} }: BackendRequest,
): Omit<WebarenaProblem, 'options'> {
  const access = readFile(files, sessionSitesFile, sessionSitesSchema)
  const sites = Object.entries(access.sites)
  const addresses: SiteAddressBook = Object.fromEntries(
    sites.map(([name, site]) => [name, site?.address ?? '']),
  )
  const written = files[taskPath(id)]
  const filled = { ...files, ...(written && { [taskPath(id)]: fillAddresses(written, addresses) }) }
  const { task, pictures } = readFile(filled, taskPath(id), packedTaskSchema)
  const used = [...new Set([...task.sites, ...sitesNamedIn(written ?? '')])]
  const unknown = used.find((name) => addresses[name] === undefined)
  // The checks of WebArena-Verified name sites by their placeholders.
  const own = task.verified && readFile(files, taskPath(id), packedTaskSchema).task
  const checked = { ...task, verified: own?.verified ?? null }
  if (unknown === undefined) return { benchmark, task: checked, pictures, access, addresses, used }
  throw new EspalierError(
    'invalid_request',
    `The task ${id} needs the site "${unknown}", which has no address: add sites.${unknown} in environments.json, or select tasks of other sites by their types.`,
    { param: `sites.${unknown}` },
  )
}

function readFile<Schema extends z.ZodType>(
  files: Readonly<Record<string, string>>,
  path: string,
  schema: Schema,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(files[path] ?? ''))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    const what = files[path] === undefined ? 'is missing' : 'is not what it should be'
    // Omits the cause, which may contain the administrator's secrets.
    throw new EspalierError('invalid_request', `files["${path}"] of the request ${what}.`, { param: 'files' })
  }
}
