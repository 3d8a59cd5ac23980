import { commandFor, plannedMoves } from '../desktop/plan-desktop.ts'
import { readDesktop } from '../desktop/read-desktop.ts'
import type { Expert } from './expert.ts'

/**
 * Knows how far its own plan for a desktop is: it cannot see what a task comes to. A task counts as reached once a command that does it was
 * typed. There are no functions for desktops.
 */
export const desktopExpert: Expert = {
  name: 'desktop',
  look(messages) {
    const situation = readDesktop(messages)
    if (situation === null) return null
    const { answers, isRefused, objective } = situation
    const command = commandFor(objective)
    const isReached = command !== null && answers.some((answer) => answer.includes(JSON.stringify(command)))
    return {
      goal: objective.replace(/\s+/g, ' '),
      isReached,
      isSpoiled: false,
      isRefused,
      next: null,
      missing: isReached ? 0 : command !== null ? 1 : Math.max(1, plannedMoves(situation) - answers.length),
      functions: [],
      statements: () => [],
      call: () => null,
    }
  },
}
