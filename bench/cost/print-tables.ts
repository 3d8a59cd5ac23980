import { toMarkdown } from './markdown-tables.ts'
import { measure } from './measure.ts'
import { tables } from './tables.ts'

/** Prints the tables of `docs/cost.md` as they are now. */
for (const [name, table] of Object.entries(tables(await measure()))) {
  console.log(`<!-- table: ${name} -->\n${toMarkdown(table)}\n`)
}
