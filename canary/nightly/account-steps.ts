import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { definitions } from '../../shared/environments/environments.ts'
import type { CanaryResult } from '../canary-result.ts'
import { startRun, untilEnded } from '../play-on-stage.ts'
import { findStage } from '../stage.ts'
import { openStageApi, type StageApi } from '../stage-api.ts'
import { compareCost, expectedCost } from './compare-cost.ts'
import { matrixOf, playMatrix } from './matrix.ts'
import type { NightlyStep } from './run-steps.ts'
import { tryDashboard } from './try-dashboard.ts'

export interface Night {
  id: string
  stage: string
  /** US dollars. */
  budget: number
  isEmulated: boolean
}

interface EndedProgram {
  code: number
  out: string
}

const onOwnImages = definitions.flatMap(({ id, image, pack }) => (image && pack === undefined ? [id] : []))
const root = join(import.meta.dirname, '../..')
const settings = ['--max-workers', '2', '--no-cloudfront', '--budget', '0', '--yes']

export function accountSteps({ id, stage, budget, isEmulated }: Night): NightlyStep[] {
  const named = ['--stage', stage]
  let key = process.env.ESPALIER_API_KEY ?? ''
  let canary: CanaryResult | null = null
  const open = async (): Promise<StageApi> =>
    openStageApi(await findStage(stage, { ...process.env, ESPALIER_API_KEY: key }))
  const deploy = (...more: string[]) => runOwn(['infra/deploy.ts', ...named, ...settings, ...more])
  const cluster = ['--cluster', `espalier-${stage}`]
  const slowly = (name: string, limit: number) => ({
    name: 'simulated' as const,
    stage: {
      name: `nightly ${id} ${name}`,
      environment: exampleEnvironment,
      tasks: { split: 'test', limit },
      epochs: 5,
      method: { id: 'mcts' as const, value: 'none' as const, iterations: 10, samples: 2, max_depth: 8 },
      model: { endpoint: 'simulated', id: 'simulated' },
      workers: 'fargate' as const,
      seed: 2,
    },
    local: {
      environment: exampleEnvironment,
      method: { id: 'react' as const },
      model: { endpoint: 'simulated', id: 'simulated' },
    },
  })

  async function whileRunning(name: string, disturb: () => Promise<string[]>): Promise<string[]> {
    const api = await open()
    const run = await startRun(api, slowly(name, 100), `${id}-${name}`)
    const notes = await disturb()
    const { status, episodes } = await untilEnded(api, run.id, () => undefined)
    if (status === 'succeeded' && episodes.errored === 0)
      return [...notes, `${episodes.total} episodes ended whole`]
    throw new Error(`The run ended as ${status}, with ${episodes.errored} episodes errored`)
  }

  return [
    {
      name: 'deploy a fresh stage',
      needsAccount: 'emulators of CloudFormation create no such stack; synth and cfn-lint check its template',
      async run() {
        await mustRun(deploy(), 'The deployment')
        const scopes = ['--scopes', 'runs:write,runs:read,datasets:read']
        const words = [
          'cli/espalier.ts',
          'keys',
          'create',
          ...named,
          '--name',
          'nightly',
          ...scopes,
          '--json',
        ]
        const made = await mustRun(runOwn(words), 'The key')
        key = z.object({ key: z.string() }).parse(JSON.parse(made)).key
        return []
      },
    },
    {
      name: 'the dashboard at the address of the API',
      needsAccount: 'emulators have no gateway; its function is tested in process',
      run: async () => tryDashboard(await findStage(stage, { ...process.env, ESPALIER_API_KEY: key })),
    },
    {
      name: 'canary: every tree equals that of this machine',
      needsAccount: null,
      async run() {
        const folder = await mkdtemp(join(tmpdir(), 'espalier-night-'))
        try {
          const json = join(folder, 'canary.json')
          const size = isEmulated
            ? ['--episodes', '20', '--hosted', '2', '--meters-after', '0']
            : ['--episodes', '500']
          const words = ['canary/canary.ts', ...named, ...size, '--json', json]
          await mustRun(runOwn(words, { ESPALIER_API_KEY: key }), 'The canary')
          canary = JSON.parse(await readFile(json, 'utf8')) as CanaryResult
          return canary.runs.map(({ name, sameTrees }) => `${name}: ${sameTrees} trees are the same`)
        } finally {
          await rm(folder, { recursive: true })
        }
      },
    },
    {
      name: 'matrix of methods, by Lambda',
      needsAccount: null,
      run: async () =>
        playMatrix(await open(), matrixOf({ id, workers: ['lambda'], hosted: [exampleEnvironment] }), id),
    },
    {
      name: 'matrix of methods by workers, browsers and desktops',
      needsAccount: 'emulators run no containers: workers and hosts of images are tested as processes',
      run: async () =>
        playMatrix(await open(), matrixOf({ id, workers: ['fargate'], hosted: onOwnImages }), `${id}-hosts`),
    },
    {
      name: 'a stopped worker loses no episode',
      needsAccount: 'emulators have no Fargate Spot; a worker process is killed in the tests',
      run: () =>
        whileRunning('stop', async () => {
          const family = ['--family', `espalier-${stage}-worker`]
          const task = await untilFound(async () => {
            const listed = await mustRun(
              runAws(['ecs', 'list-tasks', ...cluster, ...family]),
              'aws ecs list-tasks',
            )
            return z.object({ taskArns: z.array(z.string()) }).parse(JSON.parse(listed)).taskArns[0]
          })
          await mustRun(runAws(['ecs', 'stop-task', ...cluster, '--task', task]), 'aws ecs stop-task')
          return [`stopped ${task}`]
        }),
    },
    {
      name: 'an update under load',
      needsAccount: 'emulators deploy nothing',
      run: () =>
        whileRunning('update', async () => {
          await mustRun(deploy('--batch', '9'), 'The update')
          return []
        }),
    },
    {
      name: 'a failed deployment leaves the stage as it was',
      needsAccount: 'emulators roll nothing back',
      async run() {
        const { code } = await deploy('--vpc', 'vpc-00000000', '--subnets', 'subnet-00000000')
        if (code === 0) throw new Error('A deployment into a network that does not exist succeeded.')
        const [cell] = matrixOf({ id, workers: ['lambda'], hosted: [] })
        return playMatrix(await open(), cell ? [cell] : [], `${id}-after`)
      },
    },
    {
      name: `the metered cost of the canary is within $${budget}`,
      needsAccount: null,
      async run() {
        const expected = expectedCost(await readFile(join(root, 'docs/cost.md'), 'utf8'))
        return compareCost(canary, { expected, budget })
      },
    },
    {
      name: 'the bill of Cost Explorer',
      needsAccount: 'emulators bill nothing',
      run: async () => [
        'Cost Explorer shows a day on the next day. Tomorrow, once the tag is active for billing:',
        `aws ce get-cost-and-usage --granularity DAILY --metrics UnblendedCost --group-by Type=DIMENSION,Key=SERVICE --filter '{"Tags":{"Key":"stage","Values":["${stage}"]}}' --time-period Start=DAY,End=NEXT_DAY`,
      ],
    },
    {
      name: 'destroy the stage with its data',
      needsAccount: 'the owner of an emulated stage removes it',
      isCleanUp: true,
      async run() {
        await mustRun(runOwn(['infra/destroy.ts', ...named, '--delete-data', '--yes']), 'The destruction')
        return []
      },
    },
    {
      name: 'nothing with the tag of the stage is left',
      needsAccount: 'emulators tag nothing',
      isCleanUp: true,
      async run() {
        const filter = ['--tag-filters', `Key=stage,Values=${stage}`]
        const wanted = ['resourcegroupstaggingapi', 'get-resources', ...filter]
        const schema = z.object({ ResourceTagMappingList: z.array(z.object({ ResourceARN: z.string() })) })
        const left = async () => {
          const found = schema.parse(JSON.parse(await mustRun(runAws(wanted), 'aws get-resources')))
          return found.ResourceTagMappingList.map(({ ResourceARN }) => ResourceARN)
        }
        // The index of tags is behind, and inactive task definitions stay in it.
        let arns = await left()
        for (let round = 0; arns.some(isReal) && round < 20; round += 1) {
          await pause(30_000)
          arns = await left()
        }
        if (arns.some(isReal)) throw new Error(`Left: ${arns.filter(isReal).join(', ')}`)
        return arns.map((arn) => `ignored: ${arn}`)
      },
    },
  ]
}

function runOwn(words: readonly string[], variables: Record<string, string> = {}): Promise<EndedProgram> {
  return runProgram(process.execPath, words, variables)
}

function runAws(words: readonly string[]): Promise<EndedProgram> {
  return runProgram('aws', [...words, '--output', 'json'], {})
}

async function runProgram(
  command: string,
  words: readonly string[],
  variables: Record<string, string>,
): Promise<EndedProgram> {
  const child = spawn(command, words, {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const [out, [code]] = await Promise.all([text(child.stdout), closed])
  return { code: (code as number | null) ?? 1, out }
}

async function mustRun(ran: Promise<EndedProgram>, what: string): Promise<string> {
  const { code, out } = await ran
  if (code === 0) return out
  throw new Error(`${what} ended with ${code}: ${out.trim().slice(-800)}`)
}

function isReal(arn: string): boolean {
  return !arn.includes(':task-definition/')
}

async function untilFound(look: () => Promise<string | undefined>): Promise<string> {
  for (let round = 0; round < 40; round += 1) {
    const found = await look()
    if (found !== undefined) return found
    await pause(15_000)
  }
  throw new Error('No worker started within ten minutes.')
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
