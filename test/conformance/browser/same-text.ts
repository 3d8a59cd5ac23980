import { expect } from 'vitest'

/** A text of digits alone, which the reference may have left out since an id before it has the same digits. */
const onlyDigits = /^\t*\[\d+\] StaticText '\d+'/

/** Expects the recorded text, apart from texts of digits that only one of the two shows. */
export function expectRecordedText(text: string, recorded: string): void {
  if (text === recorded) return
  expect(withoutDigits(text)).toBe(withoutDigits(recorded))
}

function withoutDigits(text: string): string {
  const kept = text.split('\n').filter((line) => !onlyDigits.test(line))
  let next = 0
  return kept
    .map((line) => line.replace(/^(\t*)\[\d+\]/, (_whole, tabs: string) => `${tabs}[${++next}]`))
    .join('\n')
}
