import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openTestWorld, testFolder } from './local-test-world.ts'

const body = 'a body of the object'
const item = { status: 'running', note: 'an item' }
const others = [7, 1.5, 'text', new Uint8Array([1, 2, 3]), null]
const columns = {
  objects: ['etag', 'size', 'content_type', 'file', 'crc', 'sums', 'body'],
  ledger: ['key_crc', 'crc', 'item', 'expires_at'],
}
const cases = Object.entries(columns).flatMap(([table, names]) =>
  names.flatMap((column) => others.map((value) => [table, column, value] as const)),
)

test.each(cases)(
  '%s.%s as %s serves what was written, or says that it is damaged',
  async (table, column, value) => {
    const folder = await testFolder()
    const world = await openTestWorld(folder)
    await world.objects.put('one', Buffer.from('another'))
    await world.objects.put('two', Buffer.from(body), { content_type: 'text/plain' })
    await world.ledger.update({ key: { partition: 'p', sort: 'one' }, set: item })
    await world.ledger.update({ key: { partition: 'p', sort: 'two' }, set: item })
    const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
    const where = table === 'objects' ? "key = 'two'" : "sort = 'two'"
    try {
      sqlite.prepare(`update ${table} set ${column} = ? where ${where}`).run(value)
    } catch (error) {
      // A constraint of the table keeps null out.
      expect(String(error)).toContain('NOT NULL')
      return
    } finally {
      sqlite.close()
    }
    const answers = await Promise.all([
      of(world.objects.get('two').then((stored) => stored && Buffer.from(stored.body).toString())),
      of(world.objects.head('two').then((found) => found && found.size === body.length)),
      of(world.objects.list('').then(({ objects }) => objects.length)),
      of(world.ledger.get({ partition: 'p', sort: 'two' })),
      of(world.ledger.query('p').then(({ items }) => items.length)),
    ])
    const right = [body, true, 2, item, 2]
    for (const [at, answer] of answers.entries())
      if (answer !== 'damaged_object') expect({ at, answer }).toEqual({ at, answer: right[at] })
  },
)

/** The answer, or the code of its error. */
function of(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => (error as { code?: string }).code ?? String(error))
}
