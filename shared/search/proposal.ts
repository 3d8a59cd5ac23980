/** A model's answer to the question what to do at a node. */
export interface Proposal {
  /** The answer without the numbering that some models add ("Action 1:"): what two samples are compared by. */
  message: string
  action: string
  /** The key of the call that gave it, and its place among the call's answers where there are several. */
  effect: string
  /** What is answered in place of a step, where the answer holds no action. */
  complaint?: string
  /** How likely the policy is to choose it; 1 where nothing is known. @default 1 */
  prior?: number
}

/**
 * Whether no action could be read from an answer: it has no `Action:`, or nothing behind it. An action that the environment
 * refuses is none of these.
 */
export function isUnparsable({
  action,
  message,
}: {
  action: string | null
  message?: string | null
}): boolean {
  if (action === null) return false
  return action.trim() === '' || (message != null && !message.includes('Action:'))
}
