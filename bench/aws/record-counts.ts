import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countStage } from './counts.ts'

await writeFile(join(import.meta.dirname, 'counts.data.json'), `${JSON.stringify(await countStage())}\n`)
