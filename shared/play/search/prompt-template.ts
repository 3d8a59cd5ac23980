export type SlotsOf<Text extends string> = Text extends `${string}{{${infer Slot}}}${infer Rest}`
  ? Slot | SlotsOf<Rest>
  : never

/**
 * A text with named slots for a model. Every text that a method shows is one, so that a run can replace it.
 *
 * @example
 * const judgePrompt = definePrompt({ id: 'judge', purpose: 'Asks how far the agent has come.', text: '{{transcript}}\n\nWhere does it stand?' })
 */
export interface PromptTemplate<Slot extends string = string> {
  readonly id: string
  /** One line for people: when it is shown, and to whom. */
  readonly purpose: string
  readonly text: string
  readonly slot?: Slot
}

export function definePrompt<const Text extends string>(template: {
  id: string
  purpose: string
  text: Text
}): PromptTemplate<SlotsOf<Text>> {
  return template
}

export const slotPattern = /\{\{([\w-]+)\}\}/g

export function slotsOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{([^{}\n]+)\}\}/g)].map((match) => match[1] as string))]
}
