import type { Action, PlanningTask } from '../planning/planning-task.ts'
import type { Language } from './language.ts'

const longestAction = 1000
const mostKept = 4096

export type ReadAction = (text: string) => Action | 'look around' | 'check valid actions' | null

/**
 * Reads actions as their phrases (`unstack b1 from b2`) or in PDDL (`(unstack b1 b2)`, with or without the brackets),
 * ignoring case and white space. An action means the same in every state, so results are cached by text.
 */
export function createReadAction(task: PlanningTask, { phrases }: Language): ReadAction {
  const templates = Object.entries(phrases).map(([name, phrase]) => ({
    name,
    words: phrase.split(' ').map((word) => (word.startsWith('{') ? Number(word.slice(1, -1)) : word)),
  }))
  const read: ReadAction = (text) => {
    const words = text
      .toLowerCase()
      .replace(/[()\s]+/g, ' ')
      .trim()
      .replace(/\.$/, '')
      .split(' ')
    const line = words.join(' ')
    if (line === 'look around' || line === 'check valid actions') return line
    for (const template of templates) {
      const objects = match(template.words, words)
      const action = objects && task.action(template.name, objects)
      if (action) return action
    }
    const [name = '', ...objects] = words
    return task.action(name, objects)
  }
  const kept = new Map<string, ReturnType<ReadAction>>()
  return (text) => {
    if (text.length > longestAction) return null
    const known = kept.get(text)
    if (known !== undefined) return known
    const action = read(text)
    if (kept.size >= mostKept) kept.clear()
    kept.set(text, action)
    return action
  }
}

function match(template: readonly (string | number)[], words: readonly string[]): string[] | null {
  if (template.length !== words.length) return null
  const objects: string[] = []
  for (const [index, expected] of template.entries()) {
    const word = words[index] as string
    if (typeof expected === 'number') objects[expected] = word
    else if (expected !== word) return null
  }
  return objects
}
