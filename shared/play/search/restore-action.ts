import { z } from 'zod'
import { slotsOf } from './prompt-template.ts'
import { actionKey } from './proposals.ts'

const restoreSlots = ['steps', 'depth']

export const restoreActionSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\S.*\S$|^\S$/, 'must be one line without blanks around it')
  .refine((text) => slotsOf(text).length > 0 && slotsOf(text).every((slot) => restoreSlots.includes(slot)), {
    error:
      'must say where to, with {{steps}} (actions taken back) or {{depth}} (actions that are left), and no other slot',
  })

export function renderRestoreAction(
  template: string,
  { steps, depth }: { steps: number | string; depth: number | string },
): string {
  return template.replaceAll('{{steps}}', String(steps)).replaceAll('{{depth}}', String(depth))
}

export function renderRestoreRule(template: string): string {
  const action = renderRestoreAction(template, { steps: '<steps>', depth: '<depth>' })
  const where = template.includes('{{steps}}')
    ? 'as it was before your last <steps> actions'
    : 'as it was after the first <depth> actions on the way here'
  return `In this task you can also go back. "Action: ${action}" makes everything ${where}, and shows it to you again. Take stock before you act, and go back where another way looks better.`
}

export function withRestoreRule(system: string, template: string | undefined): string {
  if (template === undefined) return system
  const rule = renderRestoreRule(template)
  return system.includes(rule) ? system : `${system}\n\n${rule}`
}

/**
 * The number of actions that a restore action undoes; null for any other action. If it has both numbers and they
 * contradict each other, the result is infinite, which no state can satisfy.
 *
 * @param taken - number of actions that led to its state
 * @example
 * readRestoreAction('undo {{steps}}', 'undo 2', 3) // 2
 */
export function readRestoreAction(template: string, action: string, taken: number): number | null {
  const pattern = actionKey(template)
    .split(/(\{\{(?:steps|depth)\}\})/)
    .map((part) => {
      const slot = /^\{\{(steps|depth)\}\}$/.exec(part)?.[1]
      return slot === undefined ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : '(\\d{1,6})'
    })
  const numbers = new RegExp(`^${pattern.join('')}$`).exec(actionKey(action))?.slice(1).map(Number)
  if (numbers === undefined) return null
  const backs = slotsInOrder(template).map((slot, place) => {
    const number = numbers[place] as number
    return slot === 'steps' ? number : taken - number
  })
  return backs.every((steps) => steps === backs[0]) ? (backs[0] as number) : Number.POSITIVE_INFINITY
}

function slotsInOrder(template: string): string[] {
  return [...template.matchAll(/\{\{(steps|depth)\}\}/g)].map(([, slot = '']) => slot)
}
