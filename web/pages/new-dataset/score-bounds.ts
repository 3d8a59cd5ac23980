import type { DatasetRequestInput } from '../../../shared/core/contracts/dataset.ts'

export type ScoreBound = NonNullable<DatasetRequestInput['scores']>[number]

// The text has no `by`: a score keeps that of `before`.
export function readBounds(text: string, before: readonly ScoreBound[] = []): ScoreBound[] | null {
  const found: ScoreBound[] = []
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, name, sign, value] =
      /^\s*([^\s<>=]+)\s*(?:(>=|<=)\s*(-?[\d.]+(?:e-?\d+)?)\s*)?$/.exec(part) ?? []
    if (name === undefined || Number.isNaN(Number(value ?? 0))) return null
    const bound = sign === undefined ? {} : { [sign === '>=' ? 'at_least' : 'at_most']: Number(value) }
    const known = found.find((each) => each.name === name)
    const by = before.find((each) => each.name === name)?.by
    if (known === undefined) found.push({ name, ...(by !== undefined && { by }), ...bound })
    else Object.assign(known, bound)
  }
  return found
}

export function writeBounds(bounds: readonly ScoreBound[]): string {
  return bounds.flatMap(boundTexts).join(', ')
}

export function boundTexts({ at_least, at_most, name }: ScoreBound): string[] {
  const texts = [
    ...(at_least === undefined ? [] : [`${name}>=${at_least}`]),
    ...(at_most === undefined ? [] : [`${name}<=${at_most}`]),
  ]
  return texts.length === 0 ? [name] : texts
}
