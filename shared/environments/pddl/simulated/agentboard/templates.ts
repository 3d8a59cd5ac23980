import type { DomainWords } from './domain-words.ts'

export const helperName = 'inOtherWords'

/**
 * Matches an action to a template on one side of a table and fills in the other side; null if none matches.
 *
 * @param side - the action's side: 0 the planner's words, 1 AgentBoard's
 */
export function fromTemplate(actions: DomainWords['actions'], side: 0 | 1, action: string): string | null {
  for (const pair of actions) {
    const names = new Map<string, string>()
    const words = action.trim().split(/\s+/)
    const expected = pair[side].split(' ')
    const fits =
      words.length === expected.length &&
      expected.every((each, at) => {
        const word = words[at] ?? ''
        if (!each.startsWith('{')) return each.toLowerCase() === word.toLowerCase()
        names.set(each, word)
        return true
      })
    if (fits) return pair[side === 0 ? 1 : 0].replace(/\{\d\}/g, (slot) => names.get(slot) ?? '')
  }
  return null
}

/** The facts in AgentBoard's sentences; null if the text contains anything else. */
export function readFacts(
  forms: DomainWords['facts'],
  text: string,
): { facts: string[]; isReached: boolean } | null {
  const facts: string[] = []
  let rest = ` ${text.toLowerCase()} `
  for (const [form, fact] of forms) {
    const slots = [...form.matchAll(/\{\d\}/g)].map(([slot]) => slot)
    const pattern = form.replaceAll('.', '\\.').replaceAll(/\{\d\}/g, '([^\\s.,]+)')
    rest = rest.replace(new RegExp(`(?<=[\\s,])${pattern}(?=[\\s,.])`, 'g'), (_match, ...named: string[]) => {
      facts.push(fact.replace(/\{\d\}/g, (slot) => named[slots.indexOf(slot)] ?? ''))
      return ' '
    })
  }
  const isReached = rest.includes('the goal is satisfied.')
  return /^[\s,.]*$/.test(rest.replace('the goal is satisfied.', '')) ? { facts, isReached } : null
}

export function sentencesOf(facts: Iterable<string>): string {
  return [...facts].map((fact) => `${fact.charAt(0).toUpperCase()}${fact.slice(1)}.`).join(' ')
}

/**
 * JavaScript source of {@link helperName}. It translates actions to AgentBoard's words, and observations back to the
 * planner's.
 */
export function helperCode({ actions, facts }: Pick<DomainWords, 'actions' | 'facts'>): string {
  return `/**
 * Takes an action that is written in other words than the environment's, as in ${JSON.stringify(example(actions))}.
 * @param text - the action
 */
function ${helperName}(text) {
  const actions = ${JSON.stringify(actions)}
  const facts = ${JSON.stringify(facts)}
  const read = (form) => new RegExp("(?:^|[ ,])" + form.replace(/[.]/g, "[.]").replace(/[{]\\d[}]/g, "([^ .,]+)") + "(?=[ ,.]|$)", "g")
  const fill = (form, from, names) => {
    const slots = from.match(/[{]\\d[}]/g) || []
    return form.replace(/[{]\\d[}]/g, (slot) => names[slots.indexOf(slot)])
  }
  let phrase = text
  for (const [own, theirs] of actions) {
    const match = new RegExp("^" + own.replace(/[{]\\d[}]/g, "([^ ]+)") + "$").exec(text)
    if (match) { phrase = fill(theirs, own, match.slice(1)); break }
  }
  let seen = " " + act(phrase).toLowerCase()
  const known = []
  for (const [form, fact] of facts) {
    seen = seen.replace(read(form), (...match) => {
      known.push(fill(fact, form, match.slice(1)) + ".")
      return " "
    })
  }
  return "State: " + known.join(" ")
}`
}

function example(actions: DomainWords['actions']): string {
  return actions[0]?.[0].replace(/\{\d\}/g, 'b1') ?? ''
}
