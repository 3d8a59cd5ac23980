import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runSteps, type Step, type StepOutcome, type StepsRequest } from '../../../scripts/ci/run-steps.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-steps-'))
})
afterEach(() => rm(folder, { recursive: true }))

const step = (name: string, script: string, more: Partial<Step> = {}): Step => ({
  name,
  command: ['bash', '-c', script],
  cores: 1,
  memory: 100,
  ...more,
})

function play(steps: Step[], more: Partial<StepsRequest> = {}): Promise<StepOutcome[]> {
  return runSteps({
    steps,
    budget: { cores: 2, memory: 1000 },
    folder,
    longest: 60,
    onEnd: () => undefined,
    ...more,
  })
}

const read = (name: string) => readFile(join(folder, name), 'utf8')

/** Waits for a file that another step writes, so that it passes only where both run at once. */
const meet = (own: string, other: string) =>
  `touch ${own}; for i in $(seq 400); do [ -e ${other} ] && exit 0; sleep 0.05; done; exit 1`

async function isAlive(pid: number): Promise<boolean> {
  // An ended process that was not waited for yet is none.
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')
  return state.split(') ').at(-1)?.[0] !== 'Z'
}

test('steps that fit run at the same time', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  const outcomes = await play([step('one', meet(one, other)), step('other', meet(other, one))])
  expect(outcomes.map(({ status }) => status)).toEqual(['passed', 'passed'])
})

test.each([
  ['cores', { cores: 2 }],
  ['memory', { memory: 600 }],
  ['cores, also when they exceed the budget', { cores: Number.POSITIVE_INFINITY }],
])('steps that do not fit by %s run one after the other', async (_name, weight) => {
  const [lock, met] = [join(folder, 'lock'), join(folder, 'met')]
  const alone = `mkdir ${lock} || touch ${met}; sleep 0.1; rmdir ${lock}`
  const outcomes = await play(['a', 'b', 'c'].map((name) => step(name, alone, weight)))
  expect(outcomes.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
  await expect(access(met)).rejects.toThrow('ENOENT')
})

test('a failure is reported with all output and stops nothing but what comes after it', async () => {
  const ended: string[] = []
  const outcomes = await play(
    [
      step('build', 'echo out; echo error >&2; exit 3'),
      step('deploy', 'true', { after: ['build'] }),
      step('announce', 'true', { after: ['deploy'] }),
      step('lint', 'true'),
    ],
    { budget: { cores: 1, memory: 1000 }, onEnd: ({ name }) => ended.push(name) },
  )
  const told = Object.fromEntries(outcomes.map(({ name, status, reason }) => [name, `${status} ${reason}`]))
  expect(told).toEqual({
    build: 'failed exit code 3',
    deploy: 'not run build failed',
    announce: 'not run deploy did not run',
    lint: 'passed ',
  })
  expect(outcomes.find(({ name }) => name === 'build')?.output).toBe('out\nerror\n')
  expect(ended).toEqual(outcomes.map(({ name }) => name))
})

test('a step comes after those that it names, and its processor time is measured', async () => {
  const file = join(folder, 'made')
  const make = `node -e "while (process.cpuUsage().user < 150_000);"; touch ${file}`
  const outcomes = await play([step('use', `[ -e ${file} ]`, { after: ['make'] }), step('make', make)])
  expect(outcomes.map(({ name, status }) => [name, status])).toEqual([
    ['make', 'passed'],
    ['use', 'passed'],
  ])
  expect(outcomes[0]?.processorSeconds).toBeGreaterThan(0.1)
})

test('a step that runs too long is stopped, with children in groups of their own', async () => {
  const pids = join(folder, 'pids')
  const stubborn = `setsid bash -c 'trap "" TERM; echo $$ >> ${pids}; sleep 300' & sleep 300 & echo $! >> ${pids}; wait`
  const [outcome] = await play([step('endless', stubborn)], { longest: 3, grace: 200 })
  expect(outcome).toMatchObject({ status: 'failed', reason: 'it ran for more than 3 s' })
  const started = (await read('pids')).trim().split('\n').map(Number)
  expect(started).toHaveLength(2)
  for (const pid of started) expect(await isAlive(pid), `process ${pid}`).toBe(false)
})

test('what a step leaves in its group is ended with it', async () => {
  const [outcome] = await play([step('leaves', `sleep 300 & echo $! > ${join(folder, 'pid')}`)])
  expect(outcome?.status).toBe('passed')
  const pid = Number(await read('pid'))
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('an interruption ends what runs and starts nothing more', async () => {
  const interrupted = new AbortController()
  const file = join(folder, 'started')
  const first = step('first', `echo $$ > ${file}; sleep 300`)
  const second = step('second', `touch ${join(folder, 'second')}`, { cores: 2 })
  const playing = play([first, second], { signal: interrupted.signal })
  const rejected = expect(playing).rejects.toThrow('called off')
  await expect.poll(() => read('started').catch(() => '')).toMatch(/^\d+\n$/)
  interrupted.abort(new Error('called off'))
  await rejected
  expect(await isAlive(Number(await read('started')))).toBe(false)
  await expect(access(join(folder, 'second'))).rejects.toThrow('ENOENT')
})

test('a step that waits for an unknown one is refused', async () => {
  await expect(play([step('a', 'true', { after: ['nothing'] })])).rejects.toThrow('a')
})
