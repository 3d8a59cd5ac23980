import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import type { Episode } from '../../shared/contracts/episode.ts'
import type { List } from '../../shared/contracts/list.ts'
import type { Run, RunRequestInput } from '../../shared/contracts/run.ts'
import type { Tree } from '../../shared/contracts/tree.ts'
import { desktopTasks } from '../../shared/environments/desktop/tasks.ts'
import { type Started, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openStandInMachines, resetToken, type StandInMachine } from './stand-in-machines.ts'

test('OSWorld machines are reset, played by one session at a time, and replaced by others when they are lost', async () => {
  const { machines, hook, disturbed } = await openStandInMachines(2)
  const service = await serve(machines, hook)

  // One is lost in the middle of an episode, and cannot be reset for now.
  const lost = crashAtFirstAction(machines)
  const first = await play(service, { id: 'react', max_steps: 5 })
  expect(first).toMatchObject({ status: 'succeeded', episodes: { total: 2, succeeded: 2, errored: 0 } })
  const { machine: gone, other } = await lost
  expect(gone.resets).toBe(1)
  expect(other.resets).toBeGreaterThanOrEqual(2)
  expect((await treesOf(service, first)).map(({ runtime }) => runtime)).toEqual(
    Array.from({ length: 2 }, () => 'OSWorld machine, Linux'),
  )

  gone.isBroken = false
  const method = { id: 'mcts', value: 'none', iterations: 2, samples: 2, max_depth: 2 } as const
  const second = await play(service, method)
  expect(second).toMatchObject({ status: 'succeeded', episodes: { total: 2, errored: 0 } })
  expect(gone.resets).toBeGreaterThanOrEqual(2)
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

/** Two tasks on the set-up of our own: which the simulated model can do in two actions. */
async function addTasks(folder: string): Promise<void> {
  const examples = join(folder, 'tasks/examples/os')
  await mkdir(examples, { recursive: true })
  const base = desktopTasks().get('terminal-rename-folder')?.written
  for (const name of ['reports', 'letters']) {
    const task = {
      ...(base as object),
      id: `make-${name}`,
      instruction: `Use the terminal to make a folder named ${name} in the home folder.`,
      evaluator: {
        func: 'exact_match',
        result: { type: 'vm_command_line', command: 'ls -d ~/reports ~/letters ~/drafts_may', shell: true },
        expected: { type: 'rule', rules: { expected: `/home/user/drafts_may\n/home/user/${name}\n` } },
      },
    }
    await writeFile(join(examples, `${task.id}.json`), JSON.stringify(task))
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

async function treesOf(service: Started, { id: run }: Run): Promise<Tree[]> {
  const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${run}/episodes`)
  return Promise.all(
    data.map(({ id }) => request<Tree>(service, 'GET', `/v1/runs/${run}/episodes/${id}/tree`)),
  )
}
