import { toMarkdown } from './markdown-tables.ts'
import { measure } from './measure.ts'
import { tables } from './tables.ts'

for (const [name, table] of Object.entries(tables(await measure()))) {
  console.log(`<!-- table: ${name} -->\n${toMarkdown(table)}\n`)
}
