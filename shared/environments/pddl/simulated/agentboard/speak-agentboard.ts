import type { Message } from '../../../../core/contracts/message.ts'
import type { Translation } from '../../../simulated/policy.ts'
import { rewordSteps } from '../../../simulated/python-outlook.ts'
import { applyAction } from '../pddl-effects.ts'
import { type DomainWords, domainWordsOf } from './domain-words.ts'
import { fromTemplate, helperCode, helperName, readFacts, sentencesOf } from './templates.ts'

const goalHeading = 'The goal is to satisfy the following conditions: '
const listHeading = 'Valid actions are: '
const refusal = 'The action is not valid and therefore takes no effect.'
const lookAround = 'look around'

/** Null for a conversation that is not about a robot-planning domain in AgentBoard's language. */
export function speakAgentboard(messages: readonly Message[]): Translation | null {
  const text = messages.map(({ content }) => content).join('\n')
  const start = text.lastIndexOf(goalHeading)
  const words = start < 0 ? null : domainWordsOf(text.slice(start))
  if (words === null) return null
  const reader = new TalkReader(words)
  const plain = messages.map((message) => ({ ...message, content: reader.read(message.content) }))
  return {
    messages: plain,
    answer: (given) => (reader.isUnsure ? lookFirst(given) : inAgentboard(given, words)),
  }
}

/**
 * If observations show only changes, they omit some changes of a call with several steps. Looking around shows all.
 */
function lookFirst(given: string): string {
  return given.replace(/^Action: .*$/m, `Action: ${lookAround}`)
}

function inAgentboard(given: string, words: DomainWords): string {
  const worded = given.replace(/^Action: (.*)$/gm, (line, action: string) => {
    const phrase = fromTemplate(words.actions, 0, action)
    return phrase === null ? line : `Action: ${phrase}`
  })
  const reworded = rewordSteps(worded, (action) => fromTemplate(words.actions, 0, action))
  return reworded.replace(/^```js\n([\s\S]*?)\n```$/gm, (_block, code: string) => {
    const called = code.replaceAll(/\bact\(/g, `${helperName}(`)
    return `\`\`\`js\n${helperCode(words)}\n\n${called}\n\`\`\``
  })
}

/** Reads messages in order, because some observations contain only changes. */
class TalkReader {
  readonly #words: DomainWords
  #facts: Set<string> = new Set()
  #action: string | null = null
  readonly #held = new Map<string, string>()
  isUnsure = false

  constructor(words: DomainWords) {
    this.#words = words
  }

  read(content: string): string {
    const lines = content.replaceAll(/(?<!function )\binOtherWords\(/g, 'act(').split('\n')
    const read: string[] = []
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? ''
      if (line.startsWith(goalHeading)) {
        at += 1
        read.push(...this.#readTask(line.slice(goalHeading.length), lines[at] ?? ''))
      } else read.push(this.#readLine(line))
    }
    return read.join('\n')
  }

  #readTask(goal: string, state: string): string[] {
    this.#held.clear()
    this.#see(state)
    const objects = this.#words.kinds.map(([kind, form]) => {
      const names = [...this.#facts].flatMap((fact) => form.exec(fact)?.[1] ?? [])
      return `${kind}: ${[...new Set(names)].join(', ')}`
    })
    const conditions = readFacts(this.#words.facts, goal)?.facts ?? []
    return [`Objects: ${objects.join('; ')}.`, `Goal: ${conditions.join('; ')}.`, `State: ${this.#state()}`]
  }

  #readLine(line: string): string {
    const { actions, facts } = this.#words
    const [, label = '', rest = ''] = /^((?:Action|Observation): )?(.*)$/.exec(line) ?? []
    if (label === 'Action: ') {
      this.#action = fromTemplate(actions, 1, rest.replace(/\.\s*$/, ''))
      const [, container, hand] = /^grasp (\S+) with (\S+)$/.exec(this.#action ?? '') ?? []
      if (hand !== undefined && container !== undefined) this.#held.set(hand, container)
      return this.#action === null ? line : `${label}${this.#action}`
    }
    if (rest.startsWith(refusal)) {
      this.#action = null
      return `${label}That is not possible, so nothing happens.`
    }
    if (rest.startsWith(listHeading)) {
      const offered = rest.slice(listHeading.length).split(/, (?=\S)/)
      const listed = offered.map((each) => fromTemplate(actions, 1, each.replace(/\.?\s*$/, '')) ?? each)
      return `Valid actions:\n${listed.join('\n')}`
    }
    const seen = readFacts(facts, rest)
    if (seen === null || seen.facts.length === 0) return line
    this.#see(rest)
    return `${label}${this.#state()}${seen.isReached ? ' The goal is reached.' : ''}`
  }

  #see(text: string): void {
    const seen = readFacts(this.#words.facts, text)?.facts ?? []
    if (this.#words.whole.test(text)) {
      this.#facts = new Set(seen)
      this.isUnsure = false
    } else {
      const after = this.#action === null ? null : applyAction(this.#facts, this.#action)
      if (after === null) this.isUnsure = true
      else this.#facts = after
    }
    this.#action = null
    this.#nameHeld()
  }

  /**
   * AgentBoard names the hand that holds an object, but not the object. It is the object taken with that hand, or the
   * one on no table.
   */
  #nameHeld(): void {
    const containers = [...this.#facts].flatMap(
      (fact) => /^(\S+) (?:contains \S+|is empty)$/.exec(fact)?.[1] ?? [],
    )
    const gone = containers.filter((container) => !this.#facts.has(`${container} is on the table`))
    for (const fact of this.#facts) {
      const [, hand] = /^hand (\S+) holds something$/.exec(fact) ?? []
      if (hand === undefined) continue
      const taken = this.#held.get(hand)
      const container = taken !== undefined && gone.includes(taken) ? taken : gone[0]
      this.#facts.delete(fact)
      if (container !== undefined) this.#facts.add(`hand ${hand} holds ${container}`)
    }
  }

  #state(): string {
    return sentencesOf(this.#facts)
  }
}
