import type { ChatRequest } from '../../../../shared/play/models/chat-model.ts'

/** What the learner and the agent say. Answers to one question come in turn, and the last repeats. */
export interface Script {
  /** To the question for functions, candidate by candidate. */
  create: readonly string[]
  /** Where what they wrote could not be run; given the error. */
  again?(error: string): string
  revise?: readonly string[]
  /** What the agent does; given the system text, what it sees, and how many turns it has had. */
  act(told: { system: string; seen: string; turn: number; goal: number }): string
  describe?: string
  usage?: string
}

export const block = (code: string) => `Here.\n\`\`\`js\n${code}\n\`\`\``

/** Asks by the words of the prompts what is wanted. */
export function scriptedLearner(script: Script): (request: ChatRequest) => string {
  const created = inTurn(script.create)
  const revised = inTurn(script.revise ?? ['Decision: none'])
  return ({ messages, seed }) => {
    const last = messages.at(-1)?.content ?? ''
    const error = /When it was tried, this happened: (.*)/.exec(last)?.[1]
    if (error !== undefined) return script.again?.(error) ?? 'I give up.'
    if (last.includes('Write several functions')) return created(seed)
    if (last.includes('Why did it fail?')) return revised(seed)
    if (last.includes('Description: <')) return script.describe ?? 'Description: Goes some\nway.'
    if (last.includes('Show how an agent does')) return script.usage ?? 'Action: walk(2)\nObservation: At 2.'
    const [system, start] = messages
    return `Action: ${script.act({
      system: system?.content ?? '',
      seen: last,
      turn: messages.filter(({ role }) => role === 'assistant').length,
      goal: Number(/Goal: (\d)/.exec(start?.content ?? '')?.[1]),
    })}`
  }
}

/** The same sample gets the same answer, however often it is asked for. */
function inTurn(answers: readonly string[]): (seed: number) => string {
  const given = new Map<number, string>()
  return (seed) => {
    if (!given.has(seed)) given.set(seed, answers[Math.min(given.size, answers.length - 1)] as string)
    return given.get(seed) as string
  }
}
