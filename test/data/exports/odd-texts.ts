import fc from 'fast-check'

/** Texts of every kind, with the pieces that writers of CSV and JSON trip over. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.constantFrom('\0', '\ud83d', '\udc00', '"', ',', '\r', '\n', '=', '看', '\uFEFF', "'"), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
)

/** The cell that a text becomes in CSV. */
export function shownInCsv(text: string): string {
  const clean = Array.from(text.toWellFormed(), (one) => (isUnreadable(one) ? '\uFFFD' : one)).join('')
  return /^[=+\-@\t\r\n＝＋－＠]/.test(clean) ? `'${clean}` : clean
}

function isUnreadable(one: string): boolean {
  const code = one.charCodeAt(0)
  return (code < 32 && !'\t\r\n'.includes(one)) || code === 127
}
