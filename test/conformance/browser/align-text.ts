import { expect } from 'vitest'

/** A text of digits alone: the reference leaves it out where an id in the lines before it has the same digits. */
const digitsAlone = /^\t*\[\d+\] StaticText '\d+'$/
const idOfLine = /^(\t*)\[(\d+)\]/

/**
 * Expects the recorded text, line for line, with its ids. One difference is allowed, since it depends on ids that change from process
 * to process: a text of digits alone that is shown here and was left out in the reference. Ids behind it are higher by one each.
 *
 * @returns what each recorded id is called here, so that the boxes of all recorded elements are compared
 */
export function alignWithRecorded(text: string, recorded: string): Map<string, string> {
  const expected = recorded.split('\n')
  const names = new Map<string, string>()
  const kept: string[] = []
  let leftOut = 0
  for (const line of text.split('\n')) {
    const wanted = expected[kept.length]
    const aligned = line.replace(idOfLine, (_whole, tabs: string, id: string) => {
      return `${tabs}[${Number(id) - leftOut}]`
    })
    if (aligned !== wanted && digitsAlone.test(line)) {
      leftOut += 1
      continue
    }
    const [here, there] = [idOfLine.exec(line)?.[2], idOfLine.exec(aligned)?.[2]]
    if (here !== undefined && there !== undefined) names.set(there, here)
    kept.push(aligned)
  }
  expect(kept.join('\n')).toBe(recorded)
  return names
}
