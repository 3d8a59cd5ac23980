import { expect, test } from 'vitest'
import { score } from '../../examples/no-repeats.ts'
import type { ScoredEpisode } from '../../shared/core/contracts/scoring.ts'

function episodeOf(actions: readonly string[]): ScoredEpisode {
  const steps = actions.map((action, index) => ({
    step_id: index + 1,
    source: 'agent' as const,
    message: action,
    tool_calls: [{ tool_call_id: `${index}`, function_name: 'act', arguments: { action } }],
  }))
  const agent = { name: 'espalier-react', version: '0.1.0' }
  return {
    run: 'run-1',
    episode: 'ep-0000000',
    task: 'textcraft-1-stick',
    environment: 'textcraft',
    method: 'react',
    status: 'failed',
    reward: 0,
    success: false,
    steps: actions.length,
    trajectory: { schema_version: 'ATIF-v1.6', session_id: 's', agent, steps },
  }
}

test('the example of a scorer counts the actions that are new', () => {
  expect(score(episodeOf(['look', 'get log', 'look', 'craft']))).toEqual({
    value: 0.75,
    note: '3 of 4 actions are new',
  })
  expect(() => score(episodeOf([]))).toThrow('It took no action')
})
