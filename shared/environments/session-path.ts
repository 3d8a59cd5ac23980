import { hash } from 'node:crypto'
import type { SessionSnapshot } from '../core/contracts/session.ts'

export interface PathAnswer {
  observation: string
  reward: number
  done: boolean
}

/**
 * The digest of a path without steps. It depends on the path's actions and answers alone, so comparing one text shows
 * if a session is in the state that the journal records.
 * @example
 * const start = startPath({ environment: 'maze', task: 'maze-0042', seed: 0 }, answer)
 * const next = extendPath(start, 'inventory', nextAnswer)
 */
export function startPath(
  { environment, task, seed }: { environment: string; task: string; seed: number },
  { observation, reward, done }: PathAnswer,
): string {
  return digestOf([environment, task, seed, observation, reward, done])
}

export function extendPath(path: string, action: string, { observation, reward, done }: PathAnswer): string {
  return digestOf([path, action, observation, reward, done])
}

export function actionDigest(action: string): string {
  return hash('sha256', action, 'base64url').slice(0, 16)
}

export function snapshotDigest(
  { environment, task, seed }: { environment: string; task: string; seed: number },
  snapshot: Omit<SessionSnapshot, 'digest'>,
): string {
  const { step_index, observation, reward, done, valid, progress, state_hash, path, state } = snapshot
  const fields = [step_index, observation, reward, done, valid, progress, state_hash, path]
  return digestOf([environment, task, seed, ...fields, state])
}

function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 16)
}
