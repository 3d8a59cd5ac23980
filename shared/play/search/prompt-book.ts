import { EspalierError } from '../../core/contracts/errors.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import { type PromptTemplate, slotPattern, slotsOf } from './prompt-template.ts'

export class PromptBook {
  readonly #own: Readonly<Record<string, string>>

  constructor(own: Readonly<Record<string, string>> = {}) {
    this.#own = own
  }

  textOf({ id, text }: Pick<PromptTemplate, 'id' | 'text'>): string {
    return this.#own[id] ?? text
  }

  /** Fills the slots of the text. A slot alone on its line with an empty value leaves no gap. */
  fill<Slot extends string>(template: PromptTemplate<Slot>, values: Record<Slot, string>): string {
    const text = this.textOf(template)
    const given: Readonly<Record<string, string>> = values
    return text
      .replace(/^\{\{([\w-]+)\}\}\n+/gm, (whole, slot: string) => (given[slot] === '' ? '' : whole))
      .replace(slotPattern, (_, slot: string) => given[slot] ?? '')
      .trim()
  }
}

/**
 * Checks a run's texts against the templates they replace.
 *
 * @throws EspalierError `unknown_field` for a prompt that the method does not show, `invalid_request` for a slot that
 * its template does not have
 */
export function checkPrompts(
  own: Readonly<Record<string, string>>,
  templates: readonly PromptTemplate[],
  method: string,
): void {
  for (const [id, text] of Object.entries(own)) {
    const param = `prompts.${id}`
    const template = templates.find((candidate) => candidate.id === id)
    if (!template) {
      const known = templates.map((candidate) => candidate.id)
      throw new EspalierError('unknown_field', unknownName(`"${method}" shows no prompt`, id, known), {
        param,
      })
    }
    const slots = slotsOf(template.text)
    const misspelt = misspeltSlot(text, slots)
    if (misspelt !== null) {
      throw new EspalierError(
        'invalid_request',
        `${param} has "${misspelt.written}", which is no slot. Write {{${misspelt.slot}}}, or another word.`,
        { param },
      )
    }
    const unknown = slotsOf(text).filter((slot) => !slots.includes(slot))
    if (unknown.length === 0) continue
    const fillable = slots.map((slot) => `{{${slot}}}`).join(', ')
    throw new EspalierError(
      'invalid_request',
      `${param} has the slot {{${unknown[0]}}}, which nothing fills. It can have: ${fillable}.`,
      { param },
    )
  }
}

/** The name of a slot in too few braces, such as `{goal}` or `{{goal`: it would appear literally. */
function misspeltSlot(text: string, slots: readonly string[]): { written: string; slot: string } | null {
  if (slots.length === 0) return null
  const pattern = new RegExp(`\\{{1,2}\\s*(${slots.join('|')})(?![\\w-])\\s*\\}{0,2}`, 'g')
  for (const [written, slot = ''] of text.matchAll(pattern)) {
    if (!/^\{\{.*\}\}$/s.test(written)) return { written: written.trim(), slot }
  }
  return null
}
