import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { desktopTasks } from '../../shared/environments/desktop/tasks.ts'
import { type Started, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openStandInMachines, resetToken, type StandInMachine } from './stand-in-machines.ts'

test('OSWorld machines are reset, played by one session at a time, and replaced by others when they are lost', async () => {
  const { machines, hook, disturbed } = await openStandInMachines(2)
  const service = await serve(machines, hook)

  const search = { id: 'mcts', value: 'none', iterations: 2, samples: 2, max_depth: 2 } as const
  const searched = await play(service, search)
  expect(await problemsOf(service, searched)).toEqual([])
  expect(searched).toMatchObject({ status: 'succeeded', episodes: { total: 2, errored: 0 } })
  const before = machines.map(({ resets }) => resets)
  expect(Math.min(...before)).toBeGreaterThanOrEqual(1)

  // One is lost in the middle of an episode, and cannot be reset any more.
  const lost = crashAtFirstAction(machines)
  const played = await play(service, { id: 'react', max_steps: 5 })
  expect(await problemsOf(service, played)).toEqual([])
  expect(played).toMatchObject({ status: 'succeeded', episodes: { total: 2, succeeded: 2, errored: 0 } })
  const { machine: gone, other } = await lost
  const since = ({ resets, address }: StandInMachine) =>
    resets - (before[machines.findIndex((each) => each.address === address)] ?? 0)
  expect(since(gone)).toBe(1)
  expect(since(other)).toBe(2)
  expect((await treesOf(service, played)).map(({ runtime }) => runtime)).toEqual(
    Array.from({ length: 2 }, () => 'OSWorld machine, Linux'),
  )
  expect(disturbed).toEqual([])
  expect(await service.end('SIGTERM')).toBe(0)
})

/** A service with the environment `lab`, one of whose machines is reset by an address, and one by a command. */
async function serve([one, two]: StandInMachine[], hook: string): Promise<Started> {
  vi.stubEnv('TEST_RESET_TOKEN', resetToken)
  const folder = await temporaryFolder()
  const byAddress = {
    address: hook,
    form: { machine: '0' },
    headers: { authorization: { variable: 'TEST_RESET_TOKEN' } },
    timeout: 120,
  }
  const post = `fetch('${hook}', { method: 'POST', body: new URLSearchParams({ machine: '1' }), headers: { authorization: '${resetToken}' } }).then(({ ok }) => process.exit(ok ? 0 : 1))`
  const byCommand = { command: [process.execPath, '-e', post], timeout: 120 }
  const lab = {
    kind: 'osworld',
    machines: [
      { address: one?.address, reset: byAddress },
      { address: two?.address, reset: byCommand },
    ],
  }
  await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments: { lab } }))
  await writeFile(
    join(folder, 'endpoints.json'),
    JSON.stringify({ endpoints: { able: { kind: 'simulated', skill: 1 } } }),
  )
  await addTasks(folder)
  const service = await startEspalier('serve', '--folder', folder, '--port', '0')
  vi.unstubAllEnvs()
  return service
}

/** Two tasks of our own, as a folder of OSWorld's has them. */
async function addTasks(folder: string): Promise<void> {
  const examples = join(folder, 'tasks/examples/os')
  await mkdir(examples, { recursive: true })
  for (const id of ['terminal-rename-folder', 'terminal-archive']) {
    await writeFile(join(examples, `${id}.json`), JSON.stringify(desktopTasks().get(id)?.written))
  }
  const espalier = resolve(import.meta.dirname, '../../cli/espalier.ts')
  const words = ['data', 'add', 'osworld', join(folder, 'tasks'), '--folder', folder]
  await promisify(execFile)(process.execPath, [espalier, ...words])
}

/** Whichever machine is to take an action first ends, and cannot be reset from then on. */
function crashAtFirstAction(
  machines: readonly StandInMachine[],
): Promise<{ machine: StandInMachine; other: StandInMachine }> {
  return new Promise((crashed) => {
    for (const machine of machines) {
      machine.onRequest = async (path) => {
        if (path !== '/espalier/act') return
        for (const each of machines) each.onRequest = async () => undefined
        machine.isBroken = true
        await machine.crash()
        const other = machines.find((each) => each !== machine)
        if (other !== undefined) crashed({ machine, other })
      }
    }
  })
}

async function play(service: Started, method: RunRequestInput['method']): Promise<Run> {
  const model = { endpoint: 'able', id: 'simulated' }
  const body = { environment: 'lab', tasks: { split: 'test' }, method, model, max_parallel: 2 }
  const { id } = await request<Run>(service, 'POST', '/v1/runs', body)
  for (;;) {
    const run = await request<Run>(service, 'GET', `/v1/runs/${id}`)
    if (run.ended_at !== null) return run
    await new Promise((soon) => setTimeout(soon, 100))
  }
}

/** What ended episodes without a reward. */
async function problemsOf(service: Started, { id: run }: Run): Promise<unknown[]> {
  const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${run}/episodes`)
  return data.flatMap(({ result }) => result?.error ?? [])
}

async function treesOf(service: Started, { id: run }: Run): Promise<Tree[]> {
  const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${run}/episodes`)
  return Promise.all(
    data.map(({ id }) => request<Tree>(service, 'GET', `/v1/runs/${run}/episodes/${id}/tree`)),
  )
}
