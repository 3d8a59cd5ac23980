import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { loadEndpointsWith } from '../../cli/simulated-endpoint.ts'
import { openService } from '../../local/open-service.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { SuccessRates } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

test('runs are narrowed by what they are, and their success rates are those of their reports', async () => {
  const folder = await temporaryFolder()
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const common = ['--environment', 'textcraft', '--model', 'simulated', '--limit', '2']
  for (const [method, name] of [
    ['react', 'Nightly one'],
    ['act', 'other'],
    ['react', 'a NIGHTLY two'],
  ] as const) {
    const played = await espalier('run', ...common, '--method', method, '--name', name)
    expect(played.exitCode).toBe(0)
  }
  const names = async (...filters: string[]) => {
    const { out } = await espalier('runs', '--json', ...filters)
    return (JSON.parse(out) as List<Run>).data.map(({ request }) => request.name)
  }
  expect(await names('--name', 'nightly')).toEqual(['a NIGHTLY two', 'Nightly one'])
  expect(await names('--method', 'act', '--status', 'succeeded')).toEqual(['other'])
  expect(await names('--environment', 'pddl')).toEqual([])
  expect((await espalier('runs', '--model', 'gpt-5-mini')).out).toBe('No run here is like that.')
  expect((await espalier('runs', '--name', 'nightly', '--limit', '1')).notes).toMatch(/with --after run-/)
  expect(await espalier('runs', '--status', 'gone')).toMatchObject({ exitCode: 2 })

  const service = await openService({ folder, log: () => undefined })
  const read = async <Answer>(path: string): Promise<Answer> =>
    (await service.app.request(path, { headers: { host: 'localhost' } })).json() as Promise<Answer>
  const { data } = await read<List<Run>>('/v1/runs')
  const { rates } = await read<SuccessRates>(`/v1/reports/success?runs=${data.map(({ id }) => id).join(',')}`)
  expect(rates.map(({ run, of }) => [run, of])).toEqual(data.map(({ id }) => [id, 'counts']))
  for (const { run, success_rate } of rates) {
    expect(await read(`/v1/runs/${run}/report`)).toMatchObject({ success_rate })
  }
  await service.close({ grace: 1 })
})

test('a run that an ended process left is named with the command that continues it', async () => {
  const folder = await temporaryFolder()
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const endpoints = await loadEndpointsWith(folder, {}, { latency: 5000 })
  const service = await openService({ folder, port: 0, endpoints, log: () => undefined })
  const request = {
    environment: 'textcraft',
    tasks: { limit: 1 },
    method: { id: 'react' },
    model: { endpoint: 'simulated', id: 'simulated' },
  }
  const answer = await fetch(new URL('/v1/runs', service.address), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${service.word}` },
    body: JSON.stringify(request),
  })
  const { id } = (await answer.json()) as Run
  expect((await espalier('runs')).notes).toBe('')
  expect((await espalier('show', id)).notes).toBe('')
  await service.close({ grace: 0 })

  const note = `No service plays ${id} now. Continue with: espalier watch ${id} --folder ${folder}`
  expect((await espalier('runs')).notes).toBe(note)
  expect((await espalier('show', id)).notes).toBe(note)
  const listed = await espalier('runs', '--json')
  expect(listed.notes).toBe(note)
  expect((JSON.parse(listed.out) as List<Run>).data).toMatchObject([{ id }])
  expect((await espalier('watch', id)).exitCode).toBe(0)
  expect((await espalier('runs')).notes).toBe('')
})
