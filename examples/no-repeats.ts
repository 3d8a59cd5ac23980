import type { Scorer } from 'espalier/scorer'

/** The share of an episode's actions that it had not taken before. */
export const score: Scorer = ({ trajectory }) => {
  const actions = trajectory.steps.flatMap(({ tool_calls = [] }) =>
    tool_calls.map((call) => JSON.stringify(call.arguments)),
  )
  if (actions.length === 0) throw new Error('It took no action.')
  const different = new Set(actions).size
  return { value: different / actions.length, note: `${different} of ${actions.length} actions are new` }
}
