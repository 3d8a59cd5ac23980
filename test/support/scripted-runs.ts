import type { RunRequest } from '../../shared/core/contracts/run.ts'
import { noUsage, type TokensAndCost, type Usage } from '../../shared/core/contracts/usage.ts'
import type { EpisodePrograms, EpisodeSummary } from '../../shared/core/engine/episodes/episode-program.ts'
import type { JournalRecord } from '../../shared/core/engine/journal-record.ts'
import type { RunPlanner } from '../../shared/core/engine/runs/run-planner.ts'
import type { ReconcileCall } from '../../shared/core/engine/spending/settle-block.ts'

/** An endpoint that keeps a log of what was paid, by the name of the call. */
export class ScriptedEndpoint {
  readonly #log = new Map<string, TokensAndCost>()
  /** Asked with each call, before it is paid: it may throw, hang, or take note. */
  onCall: (task: string) => void | Promise<void> = () => undefined

  async pay(call: string, task: string): Promise<TokensAndCost> {
    await this.onCall(task)
    const spent = { input_tokens: 10, output_tokens: 5, cost: 0.0005 }
    this.#log.set(call, spent)
    return spent
  }

  readonly reconcile: ReconcileCall = async (_model, call) => this.#log.get(call) ?? 'unseen'

  /** What the calls of these workers cost, in dollars. */
  get cost(): number {
    return Math.round([...this.#log.values()].reduce((sum, { cost }) => sum + (cost ?? 0), 0) * 1e9) / 1e9
  }

  /** For a new case over the same endpoint. */
  forget(): void {
    this.#log.clear()
  }
}

/** How many calls an episode makes, which is all that such a run's method says. */
function callsOf({ method }: Pick<RunRequest, 'method'>): number {
  return Number((method as unknown as { calls: number }).calls)
}

/** Plans runs of so many tasks, the first of which is learned from before; an extension is two more calls. */
export function scriptedPlanner(tasks: number): RunPlanner {
  const withCalls = (request: RunRequest, calls: number) =>
    ({ ...request, method: { id: 'script', calls } }) as unknown as RunRequest
  return {
    plan: async (request) => ({
      request: withCalls(request, 2),
      tasks: Array.from({ length: tasks }, (_, index) => `task-${index}`),
      learning: [{ group: 'any', tasks: ['task-0'] }],
      priced: true,
    }),
    planAnnotations: () => {
      throw new Error('No annotations here.')
    },
    extend: (settings) => ({
      ...settings,
      request: withCalls(settings.request, callsOf(settings.request) + 2),
    }),
    provenanceOf: () => ({ origin: 'own', about: 'Scripts.', pack: null }),
    checkLimits: () => undefined,
  }
}

/** Episodes that ask the endpoint so often, one call after the other, and whose tree says how often. */
export function scriptedPrograms(endpoint: ScriptedEndpoint): EpisodePrograms {
  return {
    async program(_run, request, { task }, meter) {
      let steps = 0
      return {
        async play(scope) {
          for (let call = 0; call < callsOf(request); call += 1) {
            await scope.effect(`call/${call}`, { settings: { call } }, async () => {
              const reservation = await meter(request.model).reserve({
                tokens: 100,
                cost: 0.001,
              })
              const spent = await endpoint.pay(reservation.id, task)
              await reservation.settle(spent)
              return { result: call, usage: { ...noUsage, model_calls: 1, ...spent } as Usage }
            })
            steps += 1
          }
        },
        steps: () => steps,
        close: async () => undefined,
      }
    },
    async summarise(_run, _request, { purpose }, records) {
      return records.length === 0 ? null : toSummary(countCalls(records), purpose === 'play')
    },
  }
}

/** How many calls a journal holds. */
export function countCalls(records: readonly JournalRecord[]): number {
  return records.filter((record) => 'effect' in record).length
}

function toSummary(calls: number, isPlayed: boolean): EpisodeSummary {
  return {
    tree: { calls },
    trajectory: { calls },
    reward: isPlayed ? calls / 10 : null,
    success: isPlayed ? calls > 2 : null,
    steps: calls,
    nodes: calls + 1,
    path_length: calls,
    primitive_steps: calls,
    progress_rate: null,
    grounding_accuracy: null,
    invalid_actions: 0,
    unparsable: 0,
    answers: undefined,
    fault: null,
    usage: { ...noUsage, model_calls: calls },
    notes: [],
    actions: [],
  } as unknown as EpisodeSummary
}
