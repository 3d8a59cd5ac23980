import { EspalierError } from '../../core/contracts/errors.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import type { Probe } from '../../core/engine/preflight/preflight.ts'
import { isHosted } from '../environment.ts'
import { builtinData, type Environments } from '../open-environments.ts'

/** The probes of a run whose code its caller's process plays: while the process is gone, the run pauses. */
export async function probesOfCaller(
  request: RunRequest,
  environments: Pick<Environments, 'open'>,
  methods: { reachOf(id: string): (() => Promise<void>) | undefined },
): Promise<Probe[]> {
  const reach = methods.reachOf(request.method.id)
  return [
    ...(await probesOfEnvironment(request, environments)),
    ...(reach ? [{ choice: request.model, ask: reach }] : []),
  ]
}

async function probesOfEnvironment(
  { data = builtinData, environment: id, environment_options, model }: RunRequest,
  environments: Pick<Environments, 'open'>,
): Promise<Probe[]> {
  const opened = await environments.open(id, data, environment_options).catch((error: unknown) => {
    // Each episode reports it.
    if (EspalierError.isInstance(error)) return null
    throw error
  })
  const environment = opened?.environment
  if (!environment || !isHosted(environment) || environment.host.kind !== 'in-process') return []
  const { bridge } = environment.host
  return [{ choice: model, ask: async () => void (await bridge.reach()) }]
}
