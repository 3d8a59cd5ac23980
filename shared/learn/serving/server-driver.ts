import { EspalierError } from '../../core/contracts/errors.ts'
import type { ServeRequest, ServerDriverName, ServeSettings } from '../../core/contracts/model-server.ts'
import type { ModelSource, RegisteredModel } from '../../core/contracts/registered-model.ts'
import { noAccelerator, usualAccelerator } from '../registry/accelerators.ts'

export interface ServerJob {
  model: RegisteredModel
  settings: ServeSettings
  files: string
  work: string
  port: number
  /** Writes the files of an adapter's base, if the registry has them, and returns their folder; else its source. */
  base(): Promise<ModelSource>
  onProgress(what: string): void
  signal: AbortSignal
}

interface Driver {
  readonly name: ServerDriverName
  readonly usesAccelerator: boolean
  refuses(model: RegisteredModel): string | null
  isInstalled(): Promise<boolean>
  /** The message if it is not. @default 'it is not installed, or there is no GPU' */
  readonly missing?: string
}

/** Starts servers of one kind. All of them answer `/health` with 200 once they are ready. */
export interface ServerDriver extends Driver {
  /** Variables of its servers, beside those of the service. */
  readonly environment?: Readonly<Record<string, string>>
  /** Prepares the files, and returns the command of the server. Safe to call again after a kill. */
  prepare(job: ServerJob): Promise<string[]>
}

export interface StartedServer {
  readonly address: string
  /** Its last lines. */
  readonly tail: string[]
  readonly ended: Promise<unknown>
  /** @throws Error with its end, or if it takes longer than `patience` seconds */
  healthy(patience: number, signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

/** A server on another machine, which has the files from the service. */
export interface LaunchJob {
  /** Names this start of the server, and no other. */
  life: string
  tenant: string
  model: RegisteredModel
  settings: ServeSettings
  /** The base of an adapter. */
  base: RegisteredModel | ModelSource | null
  onProgress(what: string): void
}

/** Starts servers elsewhere. */
export interface LaunchingDriver extends Driver {
  launch(job: LaunchJob, signal: AbortSignal): Promise<StartedServer>
}

export interface ServerDrivers {
  /** Settings of requests that do not state them. */
  readonly usual: ServeRequest
  get(name: ServerDriverName): ServerDriver | LaunchingDriver
  /**
   * The requested driver, or the best one usable here.
   * @throws EspalierError `invalid_request` if it cannot serve the model
   */
  choose(model: RegisteredModel, settings: Pick<ServeSettings, 'driver'>): Promise<ServerDriverName>
}

export function serverDrivers(
  drivers: readonly (ServerDriver | LaunchingDriver)[],
  usual: ServeRequest = {},
): ServerDrivers {
  function get(name: ServerDriverName): ServerDriver | LaunchingDriver {
    const driver = drivers.find((each) => each.name === name)
    if (driver === undefined)
      throw new EspalierError('not_supported', `This service has no driver "${name}".`, { param: 'driver' })
    return driver
  }
  return {
    usual,
    get,
    async choose(model, { driver: named }) {
      if (named === 'remote') {
        throw new EspalierError(
          'invalid_request',
          `The weights of ${model.id} are here: no service keeps it.`,
          {
            param: 'driver',
          },
        )
      }
      const candidates = named === undefined ? drivers.filter(({ name }) => name !== 'command') : [get(named)]
      const reasons: string[] = []
      for (const driver of candidates) {
        const refusal = driver.refuses(model)
        if (refusal === null && (await driver.isInstalled())) return driver.name
        reasons.push(
          `${driver.name}: ${refusal ?? driver.missing ?? 'it is not installed, or there is no GPU'}`,
        )
      }
      throw new EspalierError('invalid_request', `No driver can serve ${model.id}. ${reasons.join('; ')}.`, {
        param: 'driver',
      })
    },
  }
}

export function acceleratorOf(
  drivers: ServerDrivers,
  { accelerator, driver = 'llama-cpp' }: ServeSettings,
): string | null {
  if (accelerator !== undefined) return accelerator === noAccelerator ? null : accelerator
  return drivers.get(driver).usesAccelerator ? usualAccelerator : null
}

/** The user's own program. It may or may not use an accelerator, so it holds none unless its settings name one. */
export const commandDriver: ServerDriver = {
  name: 'command',
  usesAccelerator: false,
  refuses: () => null,
  isInstalled: async () => true,
  async prepare({ files, model, port, settings }) {
    const values: Record<string, string> = {
      folder: files,
      port: String(port),
      name: model.id,
      context: String(settings.context ?? model.context_length ?? ''),
    }
    return (settings.command ?? []).map((part) =>
      part.replace(/\{(folder|port|name|context)\}/g, (_, key: string) => values[key] ?? ''),
    )
  },
}
