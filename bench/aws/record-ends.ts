import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordedCounts } from './counts.ts'
import { countConflicts, largeRuns, type RecordedConflicts } from './large-runs.ts'

const recorded: RecordedConflicts = []
for (const run of largeRuns) {
  for (const platform of ['lambda', 'workers'] as const) {
    const counted = await countConflicts(recordedCounts, run, platform)
    console.log(JSON.stringify(counted))
    recorded.push({ ...counted, conflicts: Number(counted.conflicts.toPrecision(4)) })
  }
}
await writeFile(join(import.meta.dirname, 'ends.data.json'), `${JSON.stringify(recorded)}\n`)
