import { actionKey } from './action-key.ts'

export type EarlyStop = 'invalid_actions' | 'repeated_actions'

/**
 * Why a path leads nowhere and is not followed further: its last `invalid` actions were all invalid, or its last `repeats`
 * actions all the same; null while neither is so. A rule without a number is not applied.
 *
 * @param path - from the root downwards; the root itself, which has no action, is passed over
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for VisualWebArena: `early_stop` with `parsing_failure_th` 3 and
 * `repeating_action_failure_th` 5
 */
export function earlyStop(
  path: readonly { action: string | null; valid?: boolean | undefined }[],
  { invalid, repeats }: { invalid?: number | undefined; repeats?: number | undefined },
): EarlyStop | null {
  const taken = path.filter(({ action }) => action !== null)
  if (endsIn(taken, invalid, ({ valid }) => valid === false)) return 'invalid_actions'
  const last = actionKey(taken.at(-1)?.action ?? '')
  if (endsIn(taken, repeats, ({ action }) => actionKey(action ?? '') === last)) return 'repeated_actions'
  return null
}

function endsIn<Step>(
  path: readonly Step[],
  count: number | undefined,
  holds: (step: Step) => boolean,
): boolean {
  return count !== undefined && path.length >= count && path.slice(path.length - count).every(holds)
}
