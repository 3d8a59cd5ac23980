import type { Message } from '../../core/contracts/message.ts'
import { definitions } from '../../environments/environments.ts'
import type { Outlook } from '../../environments/simulated/expert.ts'
import type { Policy, Translation } from '../../environments/simulated/policy.ts'

const loaded = await Promise.all(definitions.flatMap(({ simulated }) => simulated?.() ?? []))

/** The players of the built-in environments. At most one of them reads a given prompt. */
export const players: readonly Policy[] = [...new Set(loaded)]

export function lookAt(messages: readonly Message[]): Outlook | null {
  for (const { expert } of players) {
    const outlook = expert?.look(messages) ?? null
    if (outlook !== null) return outlook
  }
  return null
}

export function translatePrompt(messages: readonly Message[]): Translation | null {
  for (const player of players) {
    const translation = player.translate?.(messages) ?? null
    if (translation !== null) return translation
  }
  return null
}
