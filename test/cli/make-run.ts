import { type Run, runRequestSchema } from '../../shared/contracts/run.ts'

/** A run as the API shows it, with what a test does not care about filled in. */
export function makeRun(rest: Partial<Run> = {}, request: Record<string, unknown> = {}): Run {
  return {
    id: 'run-1',
    object: 'run',
    status: 'running',
    status_reason: null,
    created_at: '2026-01-01T00:00:00.000Z',
    started_at: '2026-01-01T00:00:00.000Z',
    ended_at: null,
    running_seconds: 10,
    episodes: {
      total: 20,
      waiting: 0,
      active: 8,
      succeeded: 7,
      failed: 5,
      limited: 0,
      errored: 0,
      cancelled: 0,
    },
    usage: { model_calls: 310, input_tokens: 40_000, output_tokens: 8_200, cost: 0.03124 },
    lost_calls: 0,
    answer_warnings: [],
    learning_episodes: 0,
    memory: null,
    library: null,
    live: false,
    provenance: { origin: 'generated', about: 'goals made for Espalier', pack: null },
    request: {
      ...runRequestSchema.parse({
        environment: 'textcraft',
        method: { id: 'mcts' },
        model: { endpoint: 'simulated', id: 'simulated' },
        ...request,
      }),
      method: { id: 'mcts' },
    },
    ...rest,
  }
}
