import type { Observation } from '../contracts/message.ts'

/** An observation as text, or null where it shows pictures. */
export function textOf(observation: Observation): string | null {
  const texts: string[] = []
  for (const part of observation) {
    if (part.type !== 'text') return null
    texts.push(part.text)
  }
  return texts.join('\n')
}
