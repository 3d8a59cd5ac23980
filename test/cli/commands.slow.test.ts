import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openService } from '../../local/open-service.ts'
import { startSimulatedServer } from '../../local/simulated-server.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { recordingTerminal } from './recording-terminal.ts'

const entry = join(import.meta.dirname, '../../cli/espalier.ts')
const small = ['--environment', 'textcraft', '--method', 'react', '--model', 'simulated', '--limit', '3']

describe('commands over a data folder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function espalier(words: string[], terminal = recordingTerminal()) {
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }

  it('quickstart plays both methods, compares them, exports rows and draws a tree, twice in one folder', async () => {
    const words = ['quickstart', '--tasks', '2', '--latency', '0', '--skill', '0.9']
    const first = await espalier(words)
    expect(first.notes).toContain('4 episodes (react and mcts on 2 training tasks of textcraft)')
    expect(first.exitCode).toBe(0)
    expect(first.out).toContain('mcts minus react')
    expect(first.out).toContain('prove plumbing, not quality')
    expect(first.out).toContain('● #0 textcraft-')
    expect(first.out).toMatch(/espalier show run-\S+ ep-\d+ --tree --folder/)
    const [dataset] = await readdir(join(folder, 'exports'))
    const rows = await readFile(join(folder, 'exports', dataset ?? '', 'data-00001.jsonl'), 'utf8')
    expect(JSON.parse(rows.split('\n')[0] ?? '')).toHaveProperty('messages')
    const second = await espalier([...words, '--json'])
    expect(second.exitCode).toBe(0)
    expect(JSON.parse(second.out)).toMatchObject({ comparison: { shared_tasks: 2, simulated: true } })
    const runs = JSON.parse((await espalier(['runs', '--json'])).out)
    expect(runs.data).toHaveLength(4)
  })

  it('quickstart with a model of its own stops at its cap, shows what was paid for, and says how to go on', async () => {
    const server = await startSimulatedServer({ port: 0 })
    try {
      const endpoints = { own: { kind: 'openai', base_url: server.baseUrl } }
      await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
      const words = ['quickstart', '--model', 'gpt-x', '--endpoint', 'own', '--tasks', '2']
      const { exitCode, out, notes } = await espalier([...words, '--max-tokens', '40000'])
      expect(notes).toContain('gpt-x at own: real calls, stopped at 40.0 k tokens in all')
      expect(exitCode).toBe(1)
      expect(out).toContain('quickstart mcts')
      expect(notes).toMatch(/run is paused: limits.tokens.*espalier resume run-/)
      const run = JSON.parse((await espalier(['runs', '--json'])).out).data[0] as Run
      expect(run.usage.input_tokens + run.usage.output_tokens).toBeLessThanOrEqual(32_000)
    } finally {
      await server.close()
    }
  })

  it('run gives its events, the run and its report as JSON lines, and exports the dataset', async () => {
    const { exitCode, out } = await espalier(['run', ...small, '--json', '--dataset', 'sft'])
    expect(exitCode).toBe(0)
    const lines = out.split('\n').map((line) => JSON.parse(line))
    expect(lines.filter((line) => line.type === 'episode.ended')).toHaveLength(3)
    const [run, report, dataset] = lines.slice(-3)
    expect(run).toMatchObject({ object: 'run', status: 'succeeded' })
    expect(report).toMatchObject({ object: 'report', simulated: true, episodes: { total: 3 } })
    expect(await readdir(dataset.folder)).toContain('manifest.json')
  })

  it('export builds a dataset with splits, unpacked or packed, and its rows are shown', async () => {
    const run = JSON.parse(
      (await espalier(['run', ...small, '--split', 'train', '--seed', '1', '--json'])).out
        .split('\n')
        .at(-2) ?? '',
    ) as Run
    const out = join(folder, 'rows')
    const words = [
      'export',
      run.id,
      '--set',
      'min_reward=0',
      '--split',
      'train=0.5,validation=0.5',
      '--out',
      out,
    ]
    // The progress of a slow build is drawn there; a terminal without a stream notes it.
    const progress = new PassThrough() as unknown as NodeJS.WriteStream
    const built = await espalier(words, { ...recordingTerminal(), progress })
    expect(built.notes).toBe('')
    expect(built.exitCode).toBe(0)
    expect(built.out).toMatch(/rows +3 \(train \d of \d tasks, validation \d of \d tasks\)/)
    expect(await readdir(out)).toEqual(
      expect.arrayContaining(['train-00001.jsonl', 'validation-00001.jsonl', 'lineage-train-00001.jsonl.gz']),
    )
    const packed = join(folder, 'packed')
    const id = /dataset +(dataset-\S+)/.exec(built.out)?.[1] ?? ''
    expect((await espalier(['export', '--dataset', id, '--keep-gzip', '--out', packed])).exitCode).toBe(0)
    const [unpacked, gzipped] = await Promise.all([
      readFile(join(out, 'train-00001.jsonl')),
      readFile(join(packed, 'train-00001.jsonl.gz')),
    ])
    expect(gunzipSync(gzipped)).toEqual(unpacked)
    const shown = await espalier(['datasets', id, '--rows', '2', '--split', 'train'])
    expect(JSON.parse(shown.out).data[0]).toMatchObject({
      data: JSON.parse(unpacked.toString().split('\n')[0] ?? ''),
      lineage: { task_split: 'train', origin: { source: run.id } },
    })
    expect((await espalier(['datasets'])).out).toContain(id)
    expect((await espalier(['datasets', id])).out).toMatch(/^with {6}.*min_reward=0/m)
  })

  it('export of held-out tasks alone says that it has no rows and fails, unless they are asked for', async () => {
    const words = ['run', ...small, '--seed', '1', '--json']
    const run = JSON.parse((await espalier(words)).out.split('\n').at(-2) ?? '') as Run
    const asked = ['export', run.id, '--min-reward', '0']
    const dropped = await espalier([...asked, '--out', join(folder, 'none')])
    expect(dropped.exitCode).toBe(1)
    expect(dropped.notes).toMatch(/has no rows, so nothing was downloaded\. Mostly \(3\): a task that the/)
    expect(await readdir(folder)).not.toContain('none')
    const asJson = await espalier([...asked, '--json'])
    expect(asJson.exitCode).toBe(1)
    expect(JSON.parse(asJson.out)).toMatchObject({ object: 'dataset', rows: 0, folder: null, paths: [] })
    expect(dropped.out).toMatch(/gates +3 held_out: a task that the environment holds out/)
    expect(dropped.out).toMatch(/note +There are no rows/)
    const kept = await espalier([...asked, '--keep-held-out'])
    expect(kept.out).toMatch(/rows +3 /)
    expect(kept.out).toMatch(/3 held_out: .+, 3 kept/)
  })

  it('export that is interrupted says how to go on, and goes on', async () => {
    const words = ['run', ...small, '--split', 'train', '--json']
    const run = JSON.parse((await espalier(words)).out.split('\n').at(-2) ?? '') as Run
    const drawn: string[] = []
    const recording = recordingTerminal()
    const progress = new PassThrough().on('data', (text) => {
      drawn.push(String(text))
      recording.interrupt()
    })
    const terminal = { ...recording, progress: progress as unknown as NodeJS.WriteStream }
    const stopped = await espalier(['export', run.id, '--min-reward', '0'], terminal)
    expect(stopped.exitCode).toBe(130)
    expect(drawn.join('')).toContain('queued')
    const id = /espalier export --dataset (dataset-\S+)/.exec(stopped.notes)?.[1] ?? ''
    const resumed = await espalier(['export', '--dataset', id])
    expect(resumed).toMatchObject({ exitCode: 0, out: expect.stringMatching(/rows +3 of 3 tasks/) })
  })

  it('kinds and formats are listed, and a pair that does not go together is refused with those that do', async () => {
    const kinds = await espalier(['datasets', '--kinds'])
    expect(kinds.out).toMatch(/^step-preference: /m)
    expect((await espalier(['datasets', '--kinds', 'preference'])).out).toContain('--set margin=0')
    expect((await espalier(['datasets', '--formats'])).out).toMatch(/^llama-factory +/m)
    const unknown = await espalier(['datasets', '--kinds', 'dpo'])
    expect(unknown).toMatchObject({ exitCode: 2, notes: expect.stringContaining('step-preference') })
    const run = JSON.parse((await espalier(['run', ...small, '--json'])).out.split('\n').at(-2) ?? '') as Run
    const refused = await espalier(['export', run.id, '--kind', 'prompts', '--format', 'fastchat'])
    expect(refused.exitCode).toBe(2)
    expect(refused.notes).toMatch(/"fastchat".*trl.*\[format\]/)
  })

  it('shows what a run left: the run, an episode, its tree, its trajectory, its report', async () => {
    const words = ['run', ...small, '--seed', '1', '--json']
    const started = JSON.parse((await espalier(words)).out.split('\n').at(-2) ?? '') as Run
    const id = started.id
    expect((await espalier(['show', id])).out).toMatch(/ep-0000002 +textcraft-/)
    expect((await espalier(['show', id])).out).toMatch(
      /data +builtin, generated, hosting auto\n +Generated data: goals, splits/,
    )
    expect((await espalier(['show', id, 'ep-0000000'])).out).toContain('reward')
    expect((await espalier(['show', id, 'ep-0000000', '--tree'])).out).toContain('● #0 textcraft-')
    expect(JSON.parse((await espalier(['show', id, 'ep-0000000', '--trajectory'])).out)).toHaveProperty(
      'schema_version',
    )
    expect((await espalier(['show', id, 'ep-0000000', '--tree', '--node', '9999'])).exitCode).toBe(2)
    expect((await espalier(['report', id, '--tasks'])).out).toMatch(/success rate.+textcraft-/s)
    expect((await espalier(['watch', id])).exitCode).toBe(0)
    const retried = await espalier(['cancel', id])
    expect(retried).toMatchObject({ exitCode: 1 })
    expect(retried.notes).toContain(id)
  })

  it('leaves a run that was interrupted to be gone on with, and plays nothing when one only looks', async () => {
    const file = { endpoints: { simulated: { kind: 'simulated', latency: 1000 } } }
    await writeFile(join(folder, 'endpoints.json'), JSON.stringify(file))
    const terminal = recordingTerminal()
    const running = espalier(['run', ...small], terminal)
    const looked = async (): Promise<Run> => JSON.parse((await espalier(['runs', '--json'])).out).data[0]
    await expect.poll(() => terminal.notes.join('\n')).toMatch(/^run-\S+ · 3 episodes/m)
    await expect.poll(async () => (await looked()).status).toBe('running')
    terminal.interrupt()
    const stopped = await running
    expect(stopped.exitCode).toBe(130)
    const id = /espalier watch (run-\S+)/.exec(stopped.notes)?.[1] ?? ''
    const before = await looked()
    expect(before).toMatchObject({ id, status: 'running' })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await looked()).usage.model_calls).toBe(before.usage.model_calls)
    await writeFile(join(folder, 'endpoints.json'), '{"endpoints":{}}')
    expect((await espalier(['watch', id])).exitCode).toBe(0)
    expect(await looked()).toMatchObject({ status: 'succeeded', lost_calls: 0 })
  })

  it('talks to the service that holds the folder, and serve refuses it with the reason', async () => {
    const service = await openService({ folder, port: 0, log: () => {} })
    try {
      const started = await espalier(['run', ...small, '--detach'])
      expect(started.exitCode).toBe(0)
      expect((await espalier(['watch', started.out])).exitCode).toBe(0)
      const { exitCode, notes } = await espalier(['serve', '--port', '0'])
      expect(exitCode).toBe(1)
      expect(notes).toContain(`in use by process ${process.pid}`)
      const { checks } = JSON.parse((await espalier(['doctor', '--json'])).out)
      expect(checks.find((check: { name: string }) => check.name === 'holder').message).toContain(
        service.address,
      )
      expect(checks.find((check: { name: string }) => check.name === 'service').status).toBe('ok')
    } finally {
      await service.close()
    }
  })

  it('refuses --detach where no service would stay, and starts nothing', async () => {
    const { exitCode, notes } = await espalier(['run', ...small, '--detach'])
    expect(exitCode).toBe(2)
    expect(notes).toContain('espalier serve')
    expect(JSON.parse((await espalier(['runs', '--json'])).out).data).toEqual([])
  })

  it('answers a request that the service refuses with its words and exit code 2', async () => {
    const { exitCode, notes, out } = await espalier(['run', ...small, '--set', 'speed=1', '--json'])
    expect(exitCode).toBe(2)
    expect(notes).toContain('speed')
    expect(JSON.parse(out).error.param).toBe('method.speed')
  })

  it('serve says where it is, and ends with 0 on SIGTERM', async () => {
    const server = spawn(process.execPath, [entry, 'serve', '--port', '0', '--folder', folder, '--json'])
    const [line] = await once(server.stdout, 'data')
    const facts = JSON.parse(String(line))
    expect(await (await fetch(new URL('/health', facts.address))).json()).toMatchObject({ status: 'ok' })
    expect(facts.docs).toBe(`${facts.address}/docs`)
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
  })

  it('simulate serves until it is interrupted', async () => {
    const terminal = recordingTerminal()
    const ended = runCli(['simulate', '--json'], terminal)
    while (terminal.outs.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    const { base_url } = JSON.parse(terminal.outs[0] ?? '')
    expect((await fetch(`${base_url}/models`)).status).toBe(200)
    terminal.interrupt()
    expect(await ended).toBe(0)
  })
})
