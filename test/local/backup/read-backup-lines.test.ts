import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBackupLines } from '../../../local/backup/read-backup-lines.ts'

const text = fc
  .array(fc.constantFrom('a', '看', '\u2028', '\u2029', '\u0085', '\r', '\n'))
  .map((signs) => signs.join(''))

test('rows of JSON are read as they were written, whatever their texts and wherever chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.integer({ min: 1, max: 40 }), async (rows, size) => {
      const bytes = Buffer.from(rows.map((row) => `${JSON.stringify({ row })}\n`).join(''))
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      const lines: string[] = await Readable.from(readBackupLines(Readable.from(chunks))).toArray()
      expect(lines.map((line) => JSON.parse(line).row)).toEqual(rows)
    }),
  )
})
