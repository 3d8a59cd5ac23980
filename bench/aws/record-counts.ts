import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countStage } from './counts.ts'

/** Counts anew what the simulations of a stage stand on, after the engine has changed what it writes. */
await writeFile(join(import.meta.dirname, 'counts.data.json'), `${JSON.stringify(await countStage())}\n`)
