import type { Message } from '../../../core/contracts/message.ts'
import { miniwobPlayer } from '../../../environments/miniwob/simulated/miniwob-player.ts'
import { type PagePlayer, type PageSituation, type PlannedMove, readPageSituation } from '../../../environments/browser/simulated/page-situation.ts'
import { sitesPlayer } from '../../../environments/sites/simulated/sites-player.ts'

/** Kinds of sites add their player here; the first that recognizes an objective plays. */
const players: readonly PagePlayer[] = [sitesPlayer, miniwobPlayer]

export function planOnPages(
  messages: readonly Message[],
): { situation: PageSituation; planned: PlannedMove | null } | null {
  for (const player of players) {
    const situation = readPageSituation(messages, player)
    if (situation !== null) return { situation, planned: player.plan(situation) }
  }
  return null
}
