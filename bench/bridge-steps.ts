import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { unkeptPictures } from '../shared/core/pictures/picture-store.ts'
import { Bridge } from '../shared/environments/in-process/bridge.ts'
import { readBridgeFile } from '../shared/environments/in-process/bridge-file.ts'
import { BridgeSessions } from '../shared/environments/in-process/bridge-sessions.ts'
import { report } from './figure.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const episode = 50

const folder = await mkdtemp(join(tmpdir(), 'bridge-steps-'))
const python = process.env.ESPALIER_PYTHON ?? 'python3'
const child = spawn(python, [join(import.meta.dirname, 'bridge-steps.py'), folder, `${seconds}`], {
  env: { ...process.env, PYTHONPATH: join(import.meta.dirname, '../clients/python/src') },
  stdio: ['pipe', 'pipe', 'inherit'],
})
try {
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const here = (JSON.parse(line) as { steps: number }).steps
  const alone = await measure('grid', 1)
  const beside = await measure('grid', 16)
  const saved = await measure('saved', 16)
  report(
    ...[
      { steps: beside, how: 'over the bridge, 16 sessions' },
      { steps: alone, how: 'over the bridge, one session' },
      { steps: saved, how: 'over the bridge, 16 sessions, each state kept by save()' },
    ].map(({ steps, how }) => ({
      what: `Steps of a class of Python in its caller's process, ${how}`,
      value: `${Math.round(steps)} steps/s`,
      ratio: `${(steps / here).toFixed(3)} × the class alone, without a service (${Math.round(here)} steps/s)`,
      aim: '≥ 5,000 steps/s on 2 cores',
    })),
  )
} finally {
  const ended = once(child, 'exit')
  child.stdin.end()
  await ended
  await rm(folder, { recursive: true })
}

async function measure(id: string, sessions: number): Promise<number> {
  const keepsStates = (await readBridgeFile(folder, id))?.facts.keeps_states === true
  const bridge = new Bridge({ id, param: 'environment' }, () => readBridgeFile(folder, id))
  const source = new BridgeSessions({ bridge, pictures: unkeptPictures, keepsStates, actions: false })
  const start = performance.now()
  const until = start + seconds * 1000
  const taken = await Promise.all(Array.from({ length: sessions }, () => play(source, until)))
  const passed = (performance.now() - start) / 1000
  return taken.reduce((sum, each) => sum + each, 0) / passed
}

async function play(source: BridgeSessions, until: number): Promise<number> {
  const { signal } = new AbortController()
  let taken = 0
  while (performance.now() < until) {
    const { live } = await source.open({ task: 'only', seed: 0, holder: 'bench' }, signal)
    for (let at = 0; at < episode && performance.now() < until; at += 1) {
      await live.step(at % 2 === 1 ? 'east' : 'south', signal)
      taken += 1
    }
    await live.close()
  }
  return taken
}
