import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionsOf } from '../functions/wiring/sessions-of.ts'
import { openLocalWorld } from '../shared/core/world/local/open-local-world.ts'
import { desktopDefinition, openDesktopTasks } from '../shared/environments/desktop/definition.ts'
import { desktopsHere } from '../shared/environments/desktop/desktops-here.ts'
import { ownDesktops } from '../shared/environments/desktop/host/seats.ts'
import { serveDesktopTasks } from '../shared/environments/desktop/host/serve-desktop.ts'
import { openTaskProgram } from '../shared/environments/desktop/host/task-program.ts'
import { exactOsworldPreset } from '../shared/environments/osworld/presets.ts'
import type { TreeEntry } from '../shared/play/search/tree-entry.ts'
import { completionOf } from '../test/play/models/chat-request.ts'
import { scriptedModels } from '../test/play/models/scripted-models.ts'
import { journalRecords, playOnce } from '../test/support/play-once.ts'
import { openServedHost } from '../test/support/served-host.ts'
import { countExactMachineOrder, countFreshMachineOrder } from './browser/machine-order.ts'
import { countLeastActions } from './browser/recorded-search.ts'
import { report } from './figure.ts'

/**
 * R-MCTS over a whole task on real desktops, in ExACT's settings for OSWorld, compared with the counted actions of
 * ExACT's code for the same tree on its virtual machines. Policy and judge are scripted, answer immediately and skip
 * reflection.
 */
const task = 'terminal-rename-folder'

const published = Object.fromEntries(
  exactOsworldPreset.settings.flatMap(({ field, value }) =>
    field.startsWith('method.') ? [[field.slice('method.'.length), value]] : [],
  ),
)

const method = {
  ...published,
  id: 'rmcts',
  iterations: Number(process.env.BENCH_ITERATIONS ?? published.iterations),
  reflect_policy: false,
}

const drawn = (text: string) => createHash('sha256').update(text).digest().readUInt32LE(0)

const { model } = scriptedModels([
  (body) => {
    const shown = JSON.stringify((body.messages as { content: unknown }[]).at(-1)?.content)
    const answers = Array.from({ length: Number(body.n ?? 1) }, (_, at) => {
      const draw = drawn(`${shown}${at}`)
      if (body.model === 'judge')
        return `Checks:\n1. The folder has its new name.\nSTATUS CODE: ${'CDE'[draw % 3]}`
      const code =
        draw % 3 === 0
          ? `pyautogui.write("ls -a ${draw % 7}\\n")`
          : `pyautogui.click(${600 + (draw % 400)}, 319)`
      return `Thought: that one.\nAction: \`\`\`python\n${code}\n\`\`\``
    })
    return Response.json(completionOf(answers))
  },
])

const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
const world = await openLocalWorld({ folder })
const parts = { seats: ownDesktops(() => undefined), program: openTaskProgram(() => undefined) }
try {
  const environment = await openDesktopTasks()
  const { caller, calls } = await openServedHost(world, serveDesktopTasks(parts), 'desktop', desktopsHere())
  const sessions = sessionsOf({ world, hosts: caller })({
    environment,
    pack: null,
    definition: desktopDefinition,
    options: {},
  })
  const request = {
    model: { endpoint: 'mine', id: 'policy', max_tokens: 100 },
    roles: { value: { id: 'judge' } },
  }
  const start = performance.now()
  const { outcome } = await playOnce({ world, environment, sessions, task, model, method, request })
  const seconds = (performance.now() - start) / 1000
  if (outcome.type !== 'ended') throw new Error(`The search did not end: ${JSON.stringify(outcome)}`)

  const count = (...operations: string[]) =>
    calls.filter(({ operation }) => operations.includes(operation)).length
  const [actions, starts] = [count('step'), count('create', 'restore')]
  const entries = (await journalRecords({ world })).flatMap((record) =>
    'entry' in record ? [record.entry as TreeEntry] : [],
  )
  const exact = countExactMachineOrder(entries)
  const fresh = countFreshMachineOrder(entries)
  const least = countLeastActions(entries)
  report({
    what: `Actions on desktops of R-MCTS over a whole task, ${method.iterations} iterations, ${entries.filter((entry) => 'node' in entry).length} nodes`,
    value: `${actions} actions and ${starts} starts of a desktop in ${seconds.toFixed(0)} s, at most ${Math.min(desktopsHere(), environment.sessions_per_episode ?? 1)} at a time; least without copies of states ${least.replayed}, of which ${least.first} are new`,
    ratio: `${(actions / fresh.actions).toFixed(2)} × a fresh machine for each expansion (${fresh.actions} actions, ${fresh.machines} machines); ${(actions / exact.actions).toFixed(2)} × ExACT's code, which lets machines stand (${exact.actions} actions, ${exact.machines} machines)`,
    aim: '≤ 0.2 ×',
  })
} finally {
  await parts.seats.stop()
  await parts.program.stop()
  await world.close()
  await rm(folder, { recursive: true, force: true })
}
