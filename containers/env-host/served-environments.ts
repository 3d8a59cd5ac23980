import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { BackendRequest, ServedEnvironment, SessionBackend } from './session-backend.ts'

export class ServedEnvironments {
  readonly #served: ReadonlyMap<string, ServedEnvironment>

  /** @throws EspalierError `invalid_request` when two have the same id */
  constructor(served: readonly ServedEnvironment[]) {
    this.#served = new Map(served.map((environment) => [environment.id, environment]))
    if (this.#served.size === served.length) return
    const ids = served.map(({ id }) => id)
    const twice = ids.find((id, index) => ids.indexOf(id) !== index)
    throw new EspalierError('invalid_request', `Two environments are called "${twice}". Rename one.`)
  }

  get ids(): string[] {
    return [...this.#served.keys()]
  }

  /** @throws EspalierError `unknown_environment`, with the choices */
  find(id: string): ServedEnvironment {
    const environment = this.#served.get(id)
    if (environment) return environment
    throw new EspalierError(
      'unknown_environment',
      `This host does not serve "${id}". It serves: ${this.ids.join(', ')}.`,
      { param: 'environment' },
    )
  }

  get areSpent(): boolean {
    return [...this.#served.values()].some((environment) => environment.isSpent?.() ?? false)
  }

  async open(
    id: string,
    request: BackendRequest,
    earlier: SessionBackend | null = null,
  ): Promise<SessionBackend> {
    const environment = this.find(id)
    if (earlier === null) return environment.open(request)
    if (environment.takeOver === undefined) {
      await earlier.close()
      return environment.open(request)
    }
    const taken = environment.takeOver(request, earlier)
    return (await taken) ?? environment.open(request)
  }

  async stop(): Promise<void> {
    await Promise.all(Array.from(this.#served.values(), (environment) => environment.stop?.()))
  }
}
