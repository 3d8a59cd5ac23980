import type { Message } from '../../../core/contracts/message.ts'

/** The planning task in a prompt. All sentences are in lower case, without full stop. */
export interface PddlScene {
  /** Object names by type; all under the empty text if there are no types. */
  readonly objects: ReadonlyMap<string, readonly string[]>
  readonly goal: readonly string[]
  readonly facts: ReadonlySet<string>
  readonly offered: readonly string[]
}

export interface PddlReading {
  readonly scene: PddlScene
  readonly failures: number
}

const headings = ['Objects: ', '\nGoal: ', '\nState: ']
const listHeading = 'Valid actions:\n'
const refusals = ['nothing happens', 'it changed nothing', 'The call failed']
const leftOut = /^\d+ turns are left out here$/

export function readScene(messages: readonly Message[]): PddlReading | null {
  const start = messages.findLastIndex(
    ({ role, content }) => role !== 'assistant' && headings.every((heading) => content.includes(heading)),
  )
  const first = messages[start]?.content
  if (first === undefined) return null
  // A system message ends with an example, so only its last task counts.
  const text = first.slice(first.lastIndexOf('Objects: '))
  const line = (heading: string) => new RegExp(`^${heading}: (.*)$`, 'm').exec(text)?.[1] ?? ''
  let state = line('State')
  let failures = 0
  let offered: string[] = []
  // The answer of a learned action begins with its first observation, and may repeat the task.
  const isAnswer = messages[start - 1]?.role === 'assistant'
  const rest = isAnswer
    ? text
        .slice(text.indexOf('\nState: ') + 1)
        .split('\n')
        .slice(1)
    : []
  const answers = messages.slice(start + 1).filter(({ role }) => role !== 'assistant')
  for (const content of [...rest.filter(isState), ...answers.flatMap((answer) => piecesOf(answer.content))]) {
    offered = []
    if (content.startsWith(listHeading)) offered = content.slice(listHeading.length).split('\n')
    else if (refusals.some((refusal) => content.includes(refusal))) failures += 1
    else {
      state = content
      failures = 0
    }
  }
  const scene: PddlScene = {
    objects: readObjects(line('Objects')),
    goal: line('Goal').toLowerCase().replace(/\.$/, '').split('; '),
    facts: new Set([...sentences(line('Always true')), ...sentences(state)]),
    offered,
  }
  return { scene, failures }
}

function piecesOf(content: string): string[] {
  if (leftOut.test(content)) return []
  const isOne =
    content.startsWith(listHeading) || content.startsWith('The call failed') || !content.includes('\n')
  return isOne ? [content] : content.split('\n').filter(isState)
}

function isState(line: string): boolean {
  return /^[A-Z][^:]*\.$/.test(line)
}

export function matches(facts: Iterable<string>, form: string): string[][] {
  const expected = form.split(' ')
  return [...facts].flatMap((fact) => {
    const words = fact.split(' ')
    const fits =
      words.length === expected.length && expected.every((each, at) => each === '*' || each === words[at])
    return fits ? [words.filter((_word, at) => expected[at] === '*')] : []
  })
}

function sentences(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\.\s*$/, '')
    .split('. ')
}

function readObjects(line: string): Map<string, string[]> {
  const groups = line.replace(/\.$/, '').split('; ')
  return new Map(
    groups.map((group) => {
      const colon = group.indexOf(': ')
      return [group.slice(0, Math.max(0, colon)), group.slice(colon < 0 ? 0 : colon + 2).split(', ')]
    }),
  )
}
