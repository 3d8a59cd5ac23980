import type { Expert } from '../../simulated/expert.ts'
import { commandFor, plannedMoves } from './plan-desktop.ts'
import { type DesktopSituation, readDesktop } from './read-desktop.ts'

/**
 * Estimates the progress of its own plan for a desktop, because it cannot see a task's result. A task counts as
 * reached once a solving command was typed and the agent declared it done; before that, it is not scored. There are
 * no functions for desktops.
 */
export const desktopExpert: Expert = {
  name: 'desktop',
  look(messages) {
    const situation = readDesktop(messages)
    if (situation === null) return null
    const { isRefused, objective } = situation
    const missing = missingMoves(situation)
    return {
      goal: objective.replace(/\s+/g, ' '),
      isReached: missing === 0,
      isSpoiled: false,
      isRefused,
      next: missing === 1 ? '```DONE```' : null,
      missing,
      functions: [],
      statements: () => [],
      call: () => null,
    }
  },
}

function missingMoves(situation: DesktopSituation): number {
  const { answers, objective } = situation
  const command = commandFor(objective)
  const isSaid = answers.at(-1)?.includes('```DONE```') === true
  if (command === null) return Math.max(1, plannedMoves(situation) - answers.length)
  const isTyped = answers.some((answer) => answer.includes(JSON.stringify(command)))
  return isTyped ? (isSaid ? 0 : 1) : 2
}
