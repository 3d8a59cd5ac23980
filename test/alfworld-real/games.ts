import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { shuffled } from '../../shared/core/random/shuffled.ts'
import { makeGame } from '../../shared/environments/alfworld/household/make-game.ts'
import { createHouseholdTasks } from '../../shared/environments/alfworld/household/tasks.ts'
import { conformanceFolder } from '../conformance/conformance-folder.ts'

export interface ComparedGame {
  name: string
  /** What game.tw-pddl holds. */
  text: string
  walkthrough: readonly string[]
}

/** How many games of each source are compared; ALFWORLD_GAMES says otherwise. */
const count = Number(process.env.ALFWORLD_GAMES ?? 6)

/** Games of ours, half of which say `put … in/on …`. */
export function householdGames(): ComparedGame[] {
  const tasks = createHouseholdTasks().slice(0, count)
  return tasks.map((task, index) => {
    const game = makeGame(task, index % 2 === 0 ? 'move' : 'put')
    return { name: task.id, text: JSON.stringify(game), walkthrough: game.walkthrough ?? [] }
  })
}

/** Games of ALFWorld, from the recorded archive; none where it is absent. */
export function recordedGames(): ComparedGame[] {
  const archive = join(conformanceFolder, 'alfworld/valid_seen.tar.xz')
  if (!existsSync(archive)) return []
  const folder = mkdtempSync(join(tmpdir(), 'espalier-games-'))
  try {
    execFileSync('tar', ['-xJf', archive, '-C', folder])
    const files = globSync('**/game.tw-pddl', { cwd: folder }).sort()
    return shuffled(files, seededRandom('compared games'))
      .slice(0, count)
      .map((file) => {
        const text = readFileSync(join(folder, file), 'utf8')
        const { walkthrough } = JSON.parse(text) as { walkthrough: string[] }
        return { name: file, text, walkthrough }
      })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
