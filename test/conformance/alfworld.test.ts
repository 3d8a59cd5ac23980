import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadGame } from '../../shared/environments/alfworld/game.ts'
import { readGameFile } from '../../shared/environments/alfworld/game-file.ts'
import { conformanceFolder, describeWithConformance } from './conformance-folder.ts'

/** Unpacks every archive of games into a folder of its own. */
function unpack(): { folder: string; games: string[] } {
  const archives = join(conformanceFolder, 'alfworld')
  const folder = mkdtempSync(join(tmpdir(), 'espalier-alfworld-'))
  for (const archive of readdirSync(archives).filter((name) => name.endsWith('.tar.xz'))) {
    execFileSync('tar', ['-xJf', join(archives, archive), '-C', folder])
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return { folder, games: files.filter((file) => file.endsWith('game.tw-pddl')).sort() }
}

describeWithConformance('alfworld', unpack, ({ folder, games }) => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('holds games', () => {
    expect(games.length).toBeGreaterThan(0)
  })

  test.each(games.map((game) => [dirname(game), game]))(
    '%s is solved by its walkthrough, each command possible, and by its end alone',
    (name, path) => {
      const file = readGameFile(readFileSync(join(folder, path)), name)
      const walkthrough = file.walkthrough ?? []
      const game = loadGame(file, name)
      let { state } = game.reset()
      const played = walkthrough.map((command) => {
        const isPossible = game.validActions(state).includes(command)
        const { observation, reward, done, valid, state: next } = game.step(state, command)
        state = next
        return { command, isPossible, valid, isAnswered: observation !== 'Nothing happens.', reward, done }
      })
      expect(played).toEqual(
        walkthrough.map((command, index) => {
          const done = index === walkthrough.length - 1
          return { command, isPossible: true, valid: true, isAnswered: true, reward: done ? 1 : 0, done }
        }),
      )
    },
  )
})
