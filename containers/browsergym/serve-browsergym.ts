import { fileURLToPath } from 'node:url'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import {
  browsergymOptions,
  browsergymSettingsFile,
  browsergymSettingsSchema,
} from '../../shared/environments/browsergym/registration.ts'
import type { HostedEnvironment } from '../../shared/environments/environment.ts'
import { parseEnvironmentOptions } from '../../shared/environments/environment-options.ts'
import { sealingWords } from '../browser/seal-context.ts'
import type { HostLog } from '../env-host/host-log.ts'
import type { BackendRequest, ServedEnvironment } from '../env-host/session-backend.ts'
import { ProgramPool } from '../program/program-pool.ts'
import { programSessions } from '../program/program-sessions.ts'

const bridge = fileURLToPath(new URL('play_browsergym.py', import.meta.url))

const facts: HostedEnvironment = {
  id: 'browsergym',
  description: 'Tasks of BrowserGym, by its own Python.',
  snapshot: 'replay',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 30,
  tasks: () => [],
  describe: () => ({ rules: 'You use a web browser, and do what the goal says.', example: null }),
  host: { kind: 'image', image: 'browsergym' },
}

/**
 * Serves benchmarks of BrowserGym: the benchmark and its Python come with the request for a session. Sessions of the
 * same Python share a pool of processes, each of which holds one.
 * @param chromium the browser program that the gym's Playwright must start
 */
export function serveBrowsergym(chromium: string, log: HostLog): ServedEnvironment {
  const pools = new Map<string, ProgramPool>()

  function poolOf(python: string): ProgramPool {
    const needs = 'It needs the packages that `espalier environments install` installs.'
    const pool = pools.get(python) ?? new ProgramPool({ command: [python, bridge, chromium], needs, log })
    pools.set(python, pool)
    return pool
  }

  return {
    id: facts.id,
    facts: async () => facts,
    ...programSessions((wanted) => {
      const { python, ...place } = readRequest(wanted)
      return { pool: poolOf(python), ...place }
    }),
    async stop() {
      await Promise.all([...pools.values()].map((pool) => pool.stop()))
    },
  }
}

function readRequest(wanted: BackendRequest) {
  const { [browsergymSettingsFile]: text = 'null', ...files } = wanted.files ?? {}
  const parsed = browsergymSettingsSchema.safeParse(JSON.parse(text))
  if (!parsed.success) {
    const message = `files["${browsergymSettingsFile}"] of the request is missing, or not what it should be.`
    throw new EspalierError('invalid_request', message, { param: 'files' })
  }
  const { python, sites, ...gym } = parsed.data
  const options = parseEnvironmentOptions({ id: facts.id, options: browsergymOptions }, wanted.options)
  const words = sites === null ? [] : sealingWords(sites)
  const settings = JSON.stringify({ ...gym, words })
  return {
    python,
    options,
    request: { ...wanted, files: { ...files, [browsergymSettingsFile]: settings } },
  }
}
