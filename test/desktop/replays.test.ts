import { afterAll, expect, test } from 'vitest'
import { ownDesktops } from '../../shared/environments/desktop/host/seats.ts'
import { serveDesktopTasks } from '../../shared/environments/desktop/host/serve-desktop.ts'
import { openTaskProgram } from '../../shared/environments/desktop/host/task-program.ts'

const log = () => undefined
const parts = { seats: ownDesktops(log), program: openTaskProgram(log) }
const desktops = serveDesktopTasks(parts)
afterAll(async () => {
  await parts.seats.stop()
  await parts.program.stop()
})

const open = (task: string, observation: string) => desktops.open({ task, seed: 0, options: { observation } })
const block = (code: string) => ['```python', code, '```'].join('\n')

test.each([
  ['screenshot', /\d+ % of its picture is what was recorded/],
  ['a11y_tree', /\d+ % of the rows of its table is what was recorded/],
])(
  'with %s, a replay goes on where the screen is as recorded, and diverges where it is another',
  async (observation, message) => {
    const [first, second, other] = await Promise.all([
      open('terminal-archive', observation),
      open('terminal-archive', observation),
      open('files-rename', observation),
    ])
    try {
      const [recorded, , elsewhere] = await Promise.all([first.reset(), second.reset(), other.reset()])
      expect(recorded.screen !== undefined).toBe(observation === 'screenshot')
      const typing = block("pyautogui.write('ls')")
      expect(await second.step(typing, recorded)).toMatchObject({ valid: true, done: false })
      await expect(second.step(typing, elsewhere)).rejects.toMatchObject({
        code: 'replay_diverged',
        message: expect.stringMatching(message),
      })
    } finally {
      await Promise.all([first.close(), second.close(), other.close()])
    }
  },
)
