import type { Session } from '../contracts/session.ts'
import type { SessionStanding } from '../environments/session-source.ts'

/** Where a session stands that was opened or put back, as the episode knows it. */
export function toStanding(session: Session): SessionStanding {
  const { observation, reward, done, valid, progress, state_hash } = session
  return { observation, reward, done, valid, progress, state_hash, snapshot: null }
}
